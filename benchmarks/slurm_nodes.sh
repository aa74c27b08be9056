#!/usr/bin/env bash
# A Slurm cluster on this machine, for tests: nodes of one core each, without accounting and cgroups. Needs root, and the
# packages slurm-wlm and munge (Debian). /etc/slurm/slurm.conf must not exist: it is made as a link and taken away.
#   bash benchmarks/slurm_nodes.sh up FOLDER [NODES]     starts what does not run; prints the line to evaluate
#   bash benchmarks/slurm_nodes.sh down FOLDER           ends the queue, then the processes that FOLDER names
set -euo pipefail
action=$1 state=$2 nodes=${3:-2}
host=$(hostname -s)
alive() { [ -s "$state/$1.pid" ] && grep -qE "^[0-9]+ \($2\) [^ZX]" "/proc/$(cat "$state/$1.pid")/stat" 2>/dev/null; }
wait_for() { for _ in $(seq 100); do "$@" >/dev/null 2>&1 && return 0; sleep 0.1; done; return 1; }
names() { seq -f 'node%g' "$nodes"; }

down() {
    export SLURM_CONF="$state/slurm.conf"
    nodes=$(find "$state" -maxdepth 1 -name 'node*.pid' | wc -l)
    if alive slurmctld slurmctld; then
        timeout 10 scancel --user="$(id -un)" || true
        wait_for sh -c '[ -z "$(squeue -h)" ]' || true
    fi
    for daemon in $(names) slurmctld munged; do
        program=${daemon/node*/slurmd}
        alive "$daemon" "$program" || continue
        kill "$(cat "$state/$daemon.pid")"
        ended() { ! alive "$daemon" "$program"; }
        wait_for ended || kill -9 "$(cat "$state/$daemon.pid")"
    done
    if [ "$(readlink /etc/slurm/slurm.conf || true)" = "$SLURM_CONF" ]; then rm /etc/slurm/slurm.conf; fi
}

up() {
    for program in munged slurmctld slurmd sbatch; do
        command -v "$program" >/dev/null || { echo "$program is missing: apt-get install slurm-wlm munge" >&2; exit 1; }
    done
    install -d -m 755 "$state" "$state/ctld" "$state/log"
    [ -s "$state/munge.key" ] || (umask 077; head -c 1024 /dev/urandom >"$state/munge.key")
    memory=$(awk -v n="$nodes" '/MemTotal/ {print int($2 / 1024 * 0.9 / n)}' /proc/meminfo)
    {
        cat <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$state/munge.socket
CredType=cred/munge
StateSaveLocation=$state/ctld
SlurmdSpoolDir=$state/spool.%n
SlurmctldPidFile=$state/slurmctld.pid
SlurmdPidFile=$state/%n.pid
SlurmctldLogFile=$state/log/slurmctld.log
SlurmdLogFile=$state/log/%n.log
SlurmctldPort=${SLURM_TEST_PORT:-17817}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2,bf_interval=2
DefMemPerCPU=500
MinJobAge=300
ReturnToService=2
KillWait=5
MpiDefault=none
CONF
        number=0
        for node in $(names); do
            number=$((number + 1))
            port=$((${SLURM_TEST_PORT:-17817} + number))
            echo "NodeName=$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$port CPUs=1 RealMemory=$memory State=UNKNOWN"
        done
        echo "PartitionName=main Nodes=$(names | paste -sd,) Default=YES MaxTime=INFINITE State=UP"
    } >"$state/slurm.conf"
    export SLURM_CONF="$state/slurm.conf"
    mkdir -p /etc/slurm
    if [ ! -e /etc/slurm/slurm.conf ]; then
        ln -sf "$SLURM_CONF" /etc/slurm/slurm.conf # job steps drop SLURM_CONF
    elif [ "$(readlink -f /etc/slurm/slurm.conf)" != "$(readlink -f "$SLURM_CONF")" ]; then
        other=$(dirname "$(readlink /etc/slurm/slurm.conf || echo /etc/slurm/slurm.conf)")
        echo "/etc/slurm/slurm.conf belongs to another cluster; if it is one of $0: bash $0 down $other" >&2
        exit 1
    fi
    if ! alive munged munged; then
        rm -f "$state/munge.socket"* "$state/munged.pid"
        munged --force --key-file="$state/munge.key" --socket="$state/munge.socket" --pid-file="$state/munged.pid" \
            --seed-file="$state/munged.seed" --log-file="$state/log/munged.log" >"$state/log/munged.out" 2>&1
        wait_for munge -n -S "$state/munge.socket"
    fi
    alive slurmctld slurmctld || slurmctld >>"$state/log/slurmctld.out" 2>&1
    wait_for scontrol ping || { echo "slurmctld did not start: $state/log" >&2; exit 1; }
    for node in $(names); do
        install -d -m 755 "$state/spool.$node"
        alive "$node" slurmd || slurmd -N "$node" >>"$state/log/$node.out" 2>&1
    done
    ready() { [ "$(sinfo -h -N -o %t | grep -cE 'idle|mix|alloc|comp')" = "$nodes" ]; }
    wait_for ready || { scontrol update nodename=ALL state=resume || true; wait_for ready; } ||
        { sinfo -h -N -l >&2; exit 1; }
    echo "export SLURM_CONF=$SLURM_CONF"
}

"$action"
