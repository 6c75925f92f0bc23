# What the image is made of; the tool that says so is not in it.
FROM python:3.13-slim-trixie AS sbom
WORKDIR /app
COPY requirements requirements
COPY scripts/__init__.py scripts/locked.py scripts/sbom.py scripts/
RUN python -m scripts.locked requirements/dev.txt cyclonedx-bom >/sbom.txt \
    && pip install --no-cache-dir --require-hashes -r /sbom.txt
COPY pyproject.toml ./
COPY static/vendor static/vendor
RUN python -m scripts.sbom /sbom.json

FROM python:3.13-slim-trixie

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 DJANGO_SETTINGS_MODULE=nmbrs_edu.settings.production
WORKDIR /app
# For backups: pg_dump and pg_restore, of the release of the server in docker-compose.yml.
# For paper: fonts of the rarer scripts.
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client fonts-noto-core \
    && rm -rf /var/lib/apt/lists/*
COPY requirements/run.txt requirements/run.txt
RUN pip install --no-cache-dir --require-hashes -r requirements/run.txt
COPY . .
COPY --from=sbom /sbom.json sbom.json
# The key here serves for the collecting alone; the real ones come from the environment.
RUN pybabel -q compile -d locale -D django \
    && SECRET_KEY=build PICTURES_KEY=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= ALLOWED_HOSTS=build \
       DATABASE_URL=postgres://build@localhost/build python manage.py collectstatic --noinput -v 0 \
    && useradd --system --uid 999 --no-create-home nmbrs \
    && install -d -o nmbrs /srv/static \
    && install -d -o nmbrs -m 700 /srv/school \
    && install -d -o nmbrs -m 700 /backups
USER nmbrs
EXPOSE 8000
CMD ["granian", "--interface", "wsgi", "--host", "0.0.0.0", "--port", "8000", "--workers", "2", "--blocking-threads", "4", "--respawn-failed-workers", "--respawn-interval", "0.5", "--backpressure", "8", "nmbrs_edu.wsgi:application"]
