# docker build -t bayes-hpo .          Apptainer: apptainer build bayes-hpo.sif docker-daemon://bayes-hpo:latest
# docker run --rm -v "$PWD/out:/out" bayes-hpo snakemake --cores 2 --config results_dir=/out/results products_dir=/out
# Every package is a pin with a hash (requirements/); its files lie in /opt/bayes-hpo, the environment in /opt/venv.
FROM python:3.11-slim-bookworm
RUN apt-get update && apt-get install -y --no-install-recommends libgomp1 && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/bayes-hpo
COPY . .
RUN sh .ci/install /opt/venv base cluster
ENV PATH=/opt/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1
CMD ["snakemake", "--cores", "all"]
