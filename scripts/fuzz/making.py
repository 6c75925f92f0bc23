"""Makes random requests from what the site's pages send and what its code reads."""

import ast
import inspect
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import quote, urlsplit

from django.urls import NoReverseMatch, Resolver404, resolve, reverse

from games.engine.ruleset import EDITIONS
from scripts.fuzz import bodies, pages, values
from scripts.fuzz.asking import PlannedRequest
from scripts.fuzz.pages import Form
from scripts.fuzz.world import OPERATOR, PEOPLE, FuzzWorld
from tests.pages import BOTH, METHODS, PAGES, URLS

Fields = list[tuple[str, str]]
OTHER_PATHS: Final = (
    "/",
    "/nowhere/",
    "/static/css/nmbrs.css",
    "/static/../manage.py",
    "/q/",
    "/me",
)
EXPENSIVE_PAGES: Final = frozenset(
    {"cards_pdf", "letters_pdf", "class_report", "child_report", "certificates", "export_class",
     "papers", "year_end", "upload_children", "live", "live_part", "edit_class"}
)  # fmt: skip
"""Pages that take long to make. They are requested less often."""
EXPENSIVE_WEIGHT: Final = 0.15
FREQUENT_PAGES: Final[Mapping[str, float]] = {
    "games:act": 6,
    "classrooms:check": 3,
    "classrooms:take_check_up": 2,
    "classrooms:class": 0.5,
    "rules": 0.5,
}
MOST_OF_A_KIND: Final = 12
"""The number of forms and links to one address that are kept for each person."""
ADMIN_WEIGHT: Final = 0.12
ACCOUNT_WEIGHT: Final = 0.5


def name_of(path: str) -> str:
    """The name of the address, with its namespaces; "" if there is none."""
    try:
        match = resolve(path)
    except Resolver404:
        return ""
    return match.view_name or match.url_name or ""


def pair(part: str) -> tuple[str, str]:
    """The name and the value of a part of a query."""
    name, _, value = part.partition("=")
    return name, value


def weight_of(name: str) -> float:
    if name.startswith("admin:"):
        return ADMIN_WEIGHT
    if name.startswith(("account_", "mfa_")):
        return ACCOUNT_WEIGHT
    return (
        EXPENSIVE_WEIGHT
        if name.rpartition(":")[2] in EXPENSIVE_PAGES
        else FREQUENT_PAGES.get(name, 1.0)
    )


@cache
def names_read_by(module: str) -> tuple[str, ...]:
    """The names of the fields that a view's module reads from forms and queries."""
    path = Path(inspect.getsourcefile(__import__(module, fromlist=["_"])) or "")
    if not path.is_file():
        return ()
    found = {
        call.args[0].value
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        if call.func.attr in ("get", "getlist", "pop") and call.args
        if isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)
    }
    return tuple(sorted(found))


@dataclass(slots=True)
class Catalogue:
    """The forms and links that each person finds, by the names of their addresses."""

    world: FuzzWorld
    forms: dict[str, dict[str, list[Form]]] = field(default_factory=dict)
    links: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    known_ids: list[str] = field(default_factory=list)

    def look_around(self, who: str) -> None:
        """Open every page to which this person's addresses lead."""
        forms: dict[str, list[Form]] = defaultdict(list)
        links: dict[str, list[str]] = defaultdict(list)
        seen: set[str] = set()
        for address in self._addresses(who):
            answer = self.world.browsers.send(PlannedRequest(who, "GET", *split(address)))
            seen.add(address)
            if answer.status >= 400 or not answer.is_page:
                continue
            page = pages.read_page(answer.text, urlsplit(address).path)
            for form in page.forms:
                name = name_of(urlsplit(form.action).path)
                if len(forms[name]) < MOST_OF_A_KIND and form not in forms[name]:
                    forms[name].append(form)
            for link in page.links:
                name = name_of(urlsplit(link).path)
                if len(links[name]) < MOST_OF_A_KIND and link not in links[name]:
                    links[name].append(link)
        self.forms[who] = {name: of_name for name, of_name in sorted(forms.items()) if of_name}
        self.links[who] = {name: of_name for name, of_name in sorted(links.items()) if of_name}
        ids = {str(value) for target in self.world.targets.values() for value in target.values()}
        self.known_ids = sorted(ids)

    def _addresses(self, who: str) -> list[str]:
        target = self.world.targets[PEOPLE[who]]
        names = [name for name in URLS if name.startswith("admin:") == (who == OPERATOR)]
        found = [address(name, target) for name in sorted(names)]
        if who == "Alice":
            old = self.world.targets["archived"]
            found += [address(name, old) for name in ("classrooms:class", "classrooms:year_end")]
        if who in ("Dora", "Finn"):
            for key in ("over_id", "ended_id", *(f"game of {name}" for name in EDITIONS)):
                found.append(address("classrooms:check", {**target, "game_id": target[key]}))
                found.append(address("games:page", {**target, "game_id": target[key]}))
        if who in ("Dora", "Emil"):
            found.append(address("games:page", {**target, "game_id": target["shared_id"]}))
        return found


def address(name: str, target: Mapping[str, Any]) -> str:
    """The address of a page about these objects; missing objects are invented."""
    others = {"table": 5, "edition": "simplified", "low": 3, "high": 4, "key": "x-y", "pk": 1}
    others |= {"uidb36": "1", "object_id": "1", "app_label": "classrooms", "content_type_id": 1}
    if name == "classrooms:replay":
        target = {**target, "game_id": target["played_id"]}
    if name == "classrooms:record":
        target = {**target, "game_id": target["ended_id"]}
    if name == "news":
        target = {**target, "game_id": target.get("shared_id", target["game_id"])}
        others |= {"seat": 0, "mark": target["game_id"], "number": 0}
    names = URLS[name].pattern.regex.groupindex
    kwargs = {key: target.get(key, others.get(key, "x")) for key in names}
    try:
        return reverse(name, kwargs=kwargs)
    except NoReverseMatch:
        return "/admin/x/"


def split(address: str) -> tuple[str, str]:
    path, _, query = address.partition("?")
    return path, query


@dataclass(slots=True)
class Maker:
    """Makes requests as one of `people`."""

    world: FuzzWorld
    catalogue: Catalogue
    people: Sequence[str]

    def make(self, random: Random) -> PlannedRequest:
        """A request of one person that is wrong in one or several ways."""
        makers = (self._form, self._query, self._path, self._broken)
        plan = random.choices(makers, (45, 22, 18, 15))[0](random)
        if random.random() < 0.2:
            plan = replace(plan, who=self._person(random))
        if random.random() < 0.25:
            plan = with_odd_headers(random, plan)
        if random.random() < 0.12:
            plan = self._with_odd_cookies(random, plan)
        if random.random() < 0.1:
            plan = _with_csrf_check(random, plan)
        return plan

    def spoilt_post(self, random: Random, form: Form, who: str) -> PlannedRequest:
        """A page's valid form with up to three faults."""
        fields = pages.fill_in(form, random)
        for _ in range(random.choices((0, 1, 2, 3), (8, 70, 15, 7))[0]):
            fields = self._mutated(random, form, fields)
        return self.post_of(random, form, who, fields)

    def post_of(self, random: Random, form: Form, who: str, fields: Fields) -> PlannedRequest:
        path, query = split(form.action)
        url = name_of(path)
        if form.method != "POST":
            return PlannedRequest(who, "GET", path, values.urlencoded(fields), url=url)
        if form.multipart or random.random() < 0.05:
            names = [field.name for field in form.fields if field.kind == "file"]
            files = [(name, *bodies.file_of(random)) for name in names]
            body, kind = bodies.multipart(fields, files)
        else:
            body, kind = bodies.plain(fields)
        headers = {"HX-Request": "true"} if random.random() < 0.3 else {}
        return PlannedRequest(who, "POST", path, query, body, kind, headers, url=url)

    def _person(self, random: Random) -> str:
        return random.choice(list(self.people))

    def _form_of(self, random: Random, who: str) -> Form | None:
        forms = self.catalogue.forms.get(who)
        if not forms:
            return None
        names = list(forms)
        name = random.choices(names, [weight_of(name) for name in names])[0]
        return random.choice(forms[name])

    def _form(self, random: Random) -> PlannedRequest:
        who = self._person(random)
        form = self._form_of(random, who)
        return self.spoilt_post(random, form, who) if form else self._path(random)

    def _broken(self, random: Random) -> PlannedRequest:
        """An unreadable body, sent to the address of a form or any other."""
        who = self._person(random)
        form = self._form_of(random, who)
        if form is None or random.random() < 0.2:
            plan = self._path(random)
            body, kind = bodies.unreadable(random, [("next", "/"), ("name", "Zoe")])
            return replace(plan, method="POST", body=body, content_type=kind)
        body, kind = bodies.unreadable(random, pages.fill_in(form, random))
        path, query = split(form.action)
        return PlannedRequest(who, "POST", path, query, body, kind, url=name_of(path))

    def _query(self, random: Random) -> PlannedRequest:
        """A page with a query that its code reads, or that no code reads."""
        who = self._person(random)
        links = self.catalogue.links.get(who, {})
        names = list(links)
        if not names or random.random() < 0.3:
            plan = self._path(random)
            path, fields = plan.path, []
        else:
            name = random.choices(names, [weight_of(name) for name in names])[0]
            path, query = split(random.choice(links[name]))
            fields = [pair(part) for part in query.split("&") if part]
        read = self._names_read(path)
        for _ in range(random.randint(1, 3)):
            if fields and random.random() < 0.5:
                number = random.randrange(len(fields))
                name = fields[number][0]
                fields[number] = (name, self._wrong(random, name=name))
            else:
                name = random.choice(read or ("next", "page", "sort"))
                fields.append((name, self._wrong(random, name=name)))
        method = random.choices(("GET", "HEAD", "POST"), (85, 10, 5))[0]
        return PlannedRequest(who, method, path, values.urlencoded(fields), url=name_of(path))

    def _names_read(self, path: str) -> tuple[str, ...]:
        try:
            module = resolve(path).func.__module__
        except Resolver404:
            return ()
        ours = module.startswith(("games", "classrooms", "nmbrs_edu"))
        forms = self._forms_names(path)
        return (*(names_read_by(module) if ours else ()), *forms)

    def _forms_names(self, path: str) -> Iterable[str]:
        name = name_of(path)
        forms = (form for own in self.catalogue.forms.values() for form in own.get(name, ()))
        return sorted({field_name for form in forms for field_name in form.names})

    def _path(self, random: Random) -> PlannedRequest:
        """A request to any address by any method, with anybody's or invented objects."""
        who = self._person(random)
        names = [name for name in URLS if name.startswith("admin:") == (who == OPERATOR)]
        weights = [weight_of(name) for name in names]
        name = random.choices(names, weights)[0]
        owner = random.choice(list(self.world.targets))
        path = address(name, self.world.targets[owner])
        if random.random() < 0.04:
            path = random.choice(OTHER_PATHS)
        if random.random() < 0.5:
            path = self._wrong_path(random, path)
        allowed = PAGES[name].methods if name in PAGES else BOTH
        method = random.choice(allowed if random.random() < 0.7 else METHODS)
        body, kind = (b"", "")
        if method not in ("GET", "HEAD", "OPTIONS"):
            read = self._names_read(path) or ("next",)
            fields = [(name, self._wrong(random, name=name)) for name in random.choices(read, k=3)]
            body, kind = bodies.plain(fields)
        return PlannedRequest(who, method, path, body=body, content_type=kind, url=name)

    def _wrong_path(self, random: Random, path: str) -> str:
        parts = path.split("/")
        number = random.randrange(len(parts))
        match random.randrange(6):
            case 0:
                parts[number] = random.choice(("%00", "%2e%2e", "%ff", "%ED%A0%80", ".", "..", ""))
            case 1:
                parts[number] = parts[number].upper()
            case 2:
                parts.insert(number, "")
            case _:
                wrong = self._wrong(random)[:3000]
                parts[number] = quote(wrong.encode("utf-8", "surrogatepass"), safe="")
        return "/".join(parts) or "/"

    def _wrong(self, random: Random, *, kind: str = "", name: str = "") -> str:
        return values.hostile_value(
            random, kind=kind, name=name, known_values=self.catalogue.known_ids
        )

    def _mutated(self, random: Random, form: Form, fields: Fields) -> Fields:
        """The fields of a form with one thing wrong."""
        kinds = {field.name: field.kind for field in form.fields}
        if not fields or random.random() < 0.1:
            name = random.choice(form.names or ["next"])
            return [*fields, (name, self._wrong(random, kind=kinds.get(name, ""), name=name))]
        number = random.randrange(len(fields))
        name, value = fields[number]
        rest = [*fields[:number], *fields[number + 1 :]]
        match random.randrange(12):
            case 0:
                return rest
            case 1:
                return [*fields, (name, self._wrong(random, kind=kinds.get(name, ""), name=name))]
            case 2:
                other_index = random.randrange(len(fields))
                return [*rest, (name, fields[other_index][1])]
            case 3:
                return [*rest, (name + random.choice(("[]", "\x00", "[0]", " ", ".x")), value)]
        wrong = self._wrong(random, kind=kinds.get(name, ""), name=name)
        return [*fields[:number], (name, wrong), *fields[number + 1 :]]

    def _with_odd_cookies(self, random: Random, plan: PlannedRequest) -> PlannedRequest:
        """A request with a cookie that is broken, cut, invented or somebody else's."""
        cookies = self.world.browsers.cookies.get(plan.who, {})
        names = ("sessionid", "child", "device", "picks", "messages", "csrftoken",
                 "django_language", "known", *cookies)  # fmt: skip
        name = random.choice(names)
        match random.randrange(4):
            case 0:
                value = cookies.get(name, "")[:-1] + "x"
            case 1:
                value = cookies.get(name, "")[: random.randrange(20)]
            case _:
                value = quote(
                    self._wrong(random)[:2000].encode("utf-8", "surrogatepass"), safe="{}[]:,"
                )
        return replace(plan, cookies={**plan.cookies, name: value})


def _with_csrf_check(random: Random, plan: PlannedRequest) -> PlannedRequest:
    """A request whose CSRF token is checked; it may be valid or not."""
    token = "a" * 32
    if random.random() < 0.6:
        headers, cookies = {"X-CSRFToken": token}, {"csrftoken": token}
        return replace(
            plan,
            checks_csrf=True,
            headers={**plan.headers, **headers},
            cookies={**plan.cookies, **cookies},
        )
    return replace(plan, checks_csrf=True)


def with_odd_headers(random: Random, plan: PlannedRequest) -> PlannedRequest:
    """A request with headers that no browser sends."""
    latin = values.hostile_value(random)[:500].encode("utf-8", "replace").decode("latin-1")
    latin = latin.replace("\r", "").replace("\n", "")
    headers: list[dict[str, str]] = [
        {"Accept-Language": random.choice(values.LANGUAGES)},
        {
            "Host": random.choice(
                ("school.example", "a b", "[::1]:80", "x:99999", "", "é", "a" * 300)
            )
        },
        {
            "X-Forwarded-For": random.choice(
                ("x", "1.2.3.4, y", "::1", "999.1.1.1", "," * 50, latin)
            )
        },
        {"X-Forwarded-Proto": random.choice(("https", "http", "x", "https,http"))},
        {"X-Forwarded-Host": latin},
        {"HX-Request": random.choice(("true", "false", "\xff", ""))},
        {"HX-Request": "true", "HX-Current-URL": random.choice(values.PLACES).replace("\x00", "")},
        {"HX-Request": "true", "HX-Target": latin, "HX-Trigger-Name": latin, "HX-Boosted": "x"},
        {"HX-Request": "true", "HX-Triggering-Event": "{", "HX-History-Restore-Request": "true"},
        {"Referer": random.choice(values.PLACES).replace("\x00", "")},
        {"Origin": random.choice(("null", "http://evil.example", "http://testserver", "http://["))},
        {"If-None-Match": latin, "If-Modified-Since": latin},
        {"PTag": latin, "HX-Request": "true"},
        {"Accept": latin, "Accept-Encoding": random.choice(("gzip", "gzip;q=x", "*", latin))},
        {"User-Agent": random.choice(("", "x" * 5000, latin))},
        {"Range": "bytes=0-1,5-", "Expect": "100-continue"},
        {"Content-Length": random.choice(("-1", "x", "", "0", "9" * 30, "²", "10"))},
        {"X-HTTP-Method-Override": "DELETE", "X-CSRFToken": latin, "X-Real-IP": latin},
        {"Authorization": f"Basic {latin}", "X-Request-ID": latin, "X-Correlation-ID": latin},
    ]
    return replace(plan, headers={**plan.headers, **random.choice(headers)})
