# docker build --build-arg REVISION="$(git describe --always --dirty --exclude='*')" -t bayes-hpo .
# docker run --rm -v "$PWD/out:/out" bayes-hpo snakemake --cores 2 --config results_dir=/out/results products_dir=/out
# With Apptainer the image is read-only; Snakemake's records need a folder of their own:
# apptainer build bayes-hpo.sif docker-daemon://bayes-hpo:latest && mkdir -p out/.snakemake
# apptainer exec --pwd /opt/bayes-hpo --bind "$PWD/out:/out,$PWD/out/.snakemake:/opt/bayes-hpo/.snakemake" bayes-hpo.sif \
#     snakemake --cores 2 --config results_dir=/out/results products_dir=/out
# Every package is a pin with a hash (requirements/); its files lie in /opt/bayes-hpo, the environment in /opt/venv.
FROM python:3.11-slim-bookworm
RUN apt-get update && apt-get install -y --no-install-recommends libgomp1 && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/bayes-hpo
COPY . .
RUN mkdir -p .snakemake
RUN sh .ci/install /opt/venv base cluster
ARG REVISION=unknown
ENV PATH=/opt/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 BAYES_HPO_REVISION=$REVISION
CMD ["snakemake", "--cores", "all"]
