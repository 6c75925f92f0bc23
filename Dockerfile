# Python 3.13.14 on Debian trixie, for amd64 and arm64; the digest is that of docker-library/repo-info.
ARG PYTHON=python:3.13-slim-trixie@sha256:9662417aace5ae7b8e2609cce472b72a8958e134ba372808abe9cc1a0c0125e6

# What the image is made of; the tool that says so is not in it.
FROM ${PYTHON} AS sbom
WORKDIR /app
COPY requirements requirements
COPY scripts/__init__.py scripts/locked.py scripts/sbom.py scripts/
RUN python -m scripts.locked requirements/dev.txt cyclonedx-bom >/sbom.txt \
    && python -m venv --without-pip /venv \
    && pip --python /venv/bin/python install --no-cache-dir --require-hashes -r /sbom.txt
COPY pyproject.toml ./
COPY static/vendor static/vendor
RUN /venv/bin/python -m scripts.sbom /sbom.json

FROM ${PYTHON} AS site
ENV PATH=/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 DJANGO_SETTINGS_MODULE=nmbrs_edu.settings.production
WORKDIR /app
# For backups: pg_dump and pg_restore, of the release of the server in docker-compose.yml.
# For paper: fonts of the rarer scripts, one for each script; no name of a child is in the largest.
RUN apt-get update && apt-get install -y --no-install-recommends binutils fonts-noto-core postgresql-client \
    && cd /usr/share/fonts/truetype/noto \
    && find . ! -name '*-Regular.ttf' -delete \
    && for font in NotoSerif*; do [ ! -e "NotoSans${font#NotoSerif}" ] || rm "$font"; done \
    && rm -f *UI-* *Cuneiform* *Display* *Hieroglyphs* *Math-* *SignWriting* *Symbols* *Tangut*
COPY requirements/run.txt requirements/run.txt
# Less what a school never reads: translations into other languages, symbols for a debugger.
RUN python -m venv --without-pip /venv \
    && pip --python /venv/bin/python install --no-cache-dir --require-hashes -r requirements/run.txt \
    && cd /venv/lib/python3.13/site-packages \
    && find . -path '*/locale/*' -prune -name '[a-z]*' ! -name '__*' ! -name '*.py' \
       ! -name en ! -name nl ! -name de ! -name sv ! -name fr -exec rm -r {} + \
    && find . -name '*.po' -delete \
    && strip --strip-unneeded typst/*.so cryptography/hazmat/bindings/*.so
COPY . .
COPY --from=sbom /sbom.json sbom.json
# The key here serves for the collecting alone; the real ones come from the environment.
RUN pybabel -q compile -d locale -D django \
    && SECRET_KEY=build PICTURES_KEY=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= ALLOWED_HOSTS=build \
       DATABASE_URL=postgres://build@localhost/build python manage.py collectstatic --noinput -v 0 \
    && rm -r /venv/lib/python3.13/site-packages/babel/locale-data

FROM ${PYTHON}
ENV PATH=/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    DJANGO_SETTINGS_MODULE=nmbrs_edu.settings.production
WORKDIR /app
RUN apt-get update && apt-get install -y --no-install-recommends libpq5 \
    && rm -rf /var/lib/apt/lists/* /var/log/* /var/cache/* \
    && useradd --system --uid 999 --no-create-home nmbrs \
    && install -d -o nmbrs /srv/static \
    && install -d -o nmbrs -m 700 /srv/school /backups
COPY --from=site /usr/lib/postgresql/17/bin/pg_dump /usr/lib/postgresql/17/bin/pg_restore /usr/local/bin/
COPY --from=site /usr/share/fonts/truetype/noto /usr/share/fonts/truetype/noto
COPY --from=site /venv /venv
COPY --from=site /app /app
USER nmbrs
EXPOSE 8000
CMD ["granian", "--interface", "wsgi", "--host", "0.0.0.0", "--port", "8000", "--workers", "2", "--blocking-threads", "4", "--respawn-failed-workers", "--respawn-interval", "0.5", "--backpressure", "8", "nmbrs_edu.wsgi:application"]
