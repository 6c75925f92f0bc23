"""The site as a school runs it, without Docker: nginx with deploy/nginx.conf before granian, by
docker-compose.yml's own commands, in the production settings, on the tests' PostgreSQL and Valkey.

    def test_a_teacher_signs_in(site: Site, transactional_db: None) -> None:
        site.teacher(UserFactory.create(email="alice@example.org"))
        alice = site.browser(address="127.0.0.7")
        answer = alice.sign_in("alice@example.org")
        assert answer.url.endswith("/classes/")

What one needs to know:

- `site` (tests/proxy/conftest.py) starts everything once a process, in some five seconds, on the
  test's own database. Ask for `transactional_db` too: what a test writes must be committed for
  the site to see it, and what the site writes must be gone before the next test.
- `site.browser(address=…)` is a `requests.Session` that trusts the site's certificate, takes paths
  (`get("/play/")`), keeps cookies, and sends the Referer that a form needs. `address` is the
  client's: any in 127.0.0.0/8 is this machine, so each client can have its own. With
  `post_form(path, data)` the page is fetched first and its CSRF token posted along.
- The tests hash passwords with MD5, production refuses those: `site.teacher(user)` gives a user
  the tests' `PASSWORD` as production hashes it. `site.signed_in(user)` and `site.playing(child)`
  are browsers that are signed in already.
- SECRET_KEY and PICTURES_KEY are those of the tests: what a test signs, the site reads.
- Mail is written to files: `site.mails()`. Logs are files too: `site.logs()` has all that the
  processes have printed so far, by service.
- `site.start("worker")` starts one more service of docker-compose.yml. It eats from a queue of its
  own, not from that of the tests.
- Django's in-process state (settings fixtures, patched clocks) does not reach the site: it is
  other processes.
"""
