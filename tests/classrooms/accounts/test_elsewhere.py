"""Google and Microsoft are there as soon as the environment has their keys."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent.parent
KEYS = {
    "GOOGLE_CLIENT_ID": "id-of-google",
    "GOOGLE_CLIENT_SECRET": "secret",
    "MICROSOFT_CLIENT_ID": "id-of-microsoft",
    "MICROSOFT_CLIENT_SECRET": "secret",
}
ASKS = """
import django
django.setup()
from django.core.management import call_command
from django.test import Client
call_command("migrate", verbosity=0)
page = Client().get("/accounts/login/")
print("Google" in page.text, "Microsoft" in page.text)
print(page["Content-Security-Policy"])
for provider in ("google", "microsoft"):
    print(Client().get(f"/accounts/{provider}/login/").status_code)
    print(Client().post(f"/accounts/{provider}/login/")["Location"])
print(Client().get("/accounts/elsewhere/login/cancelled/").status_code)
print(Client().get("/accounts/elsewhere/login/error/").status_code)
"""


def test_keys_alone_switch_them_on_and_the_content_policy_lets_the_form_lead_there(
    tmp_path: Path,
) -> None:
    environment = {
        "DJANGO_SETTINGS_MODULE": "nmbrs_edu.settings.test",
        "DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite3",
        "REDIS_URL": "redis://localhost:1/0",
    }
    done = subprocess.run(
        [sys.executable, "-c", ASKS],
        cwd=ROOT,
        env={**environment, **KEYS},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    shown, policy, *rest = done.stdout.splitlines()
    assert shown == "True True"
    assert "https://accounts.google.com" in policy.partition("form-action")[2].split(";")[0]
    google, to_google, microsoft, to_microsoft, cancelled, error = rest
    assert (google, microsoft, cancelled, error) == ("200", "200", "200", "401")
    assert to_google.startswith("https://accounts.google.com/")
    assert "id-of-google" in to_google
    assert to_microsoft.startswith("https://login.microsoftonline.com/organizations/")
