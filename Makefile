# `make run` and `make test` need nothing but Python; `make school` needs Docker.

PORT ?= 8000
HOST ?= 127.0.0.1
VENV = .venv/bin
REQUESTS ?= 500000
SEED ?= 1
CHILDREN ?= 120 300 600 1000 2000
SECONDS ?= 60
PACE ?= 6
FAULTS ?= 2000
export PORT HOST PYTHON

.PHONY: run port school install demo-reset backup restore install-dev browser chromium nginx gettext test proof permissions bench load faults siege upgrade images \
	check messages lighthouse fuzz audit sbom

run: port install
	@exec $(VENV)/python -m nmbrs_edu.run

school:
	@scripts/school.sh

port:
	@! command -v python3 >/dev/null || python3 nmbrs_edu/run/port.py

install:
	@scripts/install.sh run

demo-reset: install
	@$(VENV)/python -m nmbrs_edu.run --demo-reset

backup: install
	@$(VENV)/python manage.py back_up

restore: install
	@$(VENV)/python manage.py restore_backup $(BACKUP)

install-dev:
	@scripts/install.sh dev

chromium:
	@scripts/debian.sh chromium chromium

browser:
	@scripts/debian.sh chromium-headless-shell chromium-headless-shell || $(MAKE) chromium

nginx:
	@PATH="$$PATH:/usr/sbin" scripts/debian.sh nginx nginx

gettext:
	@scripts/debian.sh xgettext gettext

test: install-dev browser nginx
	@scripts/test.sh

proof: install-dev browser nginx
	@$(VENV)/python -m scripts.proof $(PART)

permissions: install-dev
	@$(VENV)/python -m scripts.permissions

bench: install-dev browser nginx
	@$(VENV)/python -m scripts.bench

load: install-dev nginx
	@nice -n 5 $(VENV)/python -m scripts.load --children $(CHILDREN) --seconds $(SECONDS) --pace $(PACE) \
		$(if $(SIGN_IN),--sign-in $(SIGN_IN)) $(if $(SCHOOL),--school $(SCHOOL)) $(if $(TEACHERS),--teachers $(TEACHERS)) \
		$(if $(TABLES),--tables $(TABLES)) $(if $(HANDS),--hands $(HANDS))

faults: install-dev nginx
	@nice -n 5 $(VENV)/python -m scripts.faults --faults $(if $(WITHOUT_VERSION_CHECK),5,$(FAULTS)) --seed $(SEED) \
		$(if $(WITHOUT_VERSION_CHECK),--without-version-check) $(if $(TABLES),--tables $(TABLES))

siege: install-dev nginx
	@nice -n 5 $(VENV)/python -m scripts.siege --seconds $(SECONDS) --pace $(PACE) --seed $(SEED) \
		$(if $(KINDS),--kinds $(KINDS))

upgrade: install-dev nginx
	@nice -n 5 $(VENV)/python -m scripts.load.upgrade $(FROM) $(if $(BACK),--back)

images: install-dev
	@nice -n 5 $(VENV)/python -m scripts.images $(FROM)

fuzz: install-dev
	@$(VENV)/python -m scripts.fuzz --requests $(REQUESTS) --seed $(SEED)

audit: install-dev
	@$(VENV)/python -m scripts.audit

sbom: install-dev
	@$(VENV)/python -m scripts.sbom var/sbom.json

check: install-dev gettext
	@scripts/check.sh

messages: install-dev gettext
	@$(VENV)/python -m scripts.translations --write
	@$(VENV)/python -m scripts.proxy --write

lighthouse: install chromium
	@$(VENV)/python -m scripts.lighthouse
