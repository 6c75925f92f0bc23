"""Finds the permission checks ("guards") in the source. `instrument` puts a switch at each guard,
so that one process can try them all (`scripts.permissions`)."""

import ast
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FILTERS: Final = frozenset({"filter", "exclude", "get", "get_object_or_404"})
DECORATORS: Final = frozenset({"login_required", "needs_proof", "for_children", "part_for_adults"})
MODELS_OF_SCOPES: Final[Mapping[str, str]] = {
    "children": "Child",
    "teachings": "Teaching",
    "groups": "Group",
    "assignments": "Assignment",
    "attempts": "Attempt",
    "check_ups": "checkups.CheckUp",
    "memberships": "Membership",
}
QUERY_CALLS: Final = frozenset({"filter", "exclude", "all", "select_related", "values_list", "get"})
"""The names of calls on `school_class.children` and the like that limit the query."""
MIDDLEWARE: Final = (
    "classrooms.middleware.ChildMiddleware",
    "classrooms.middleware.ArchivedMiddleware",
)

SWITCH: Final = '__import__("classrooms.anyones", fromlist=["x"])'
"""The module of `SWITCH_SOURCE`, as an expression that is valid anywhere."""
SWITCH_SOURCE: Final = """
from functools import wraps
from django.apps import apps
from django.shortcuts import get_object_or_404

number = -1
reached = set()

def without(n):
    reached.add(n)
    return n == number

def unless(n, decorator):
    def decorated(view):
        guarded = decorator(view)
        @wraps(guarded)
        def either(*args, **kwargs):
            return (view if without(n) else guarded)(*args, **kwargs)
        return either
    return decorated

def every(model):
    return apps.get_model(model if "." in model else "classrooms." + model)._base_manager.all()

def one(model, **key):
    return get_object_or_404(every(model), **key)
"""
GATES: Final[Mapping[str, str]] = {
    "own_class_for": "class_for({0}, {1})",
    "class_for": f'{SWITCH}.one("SchoolClass", pk={{1}})',
    "classes_of": f'{SWITCH}.every("SchoolClass")',
    "other_classes_of": f'{SWITCH}.every("SchoolClass")',
    "classes_owned_by": f'{SWITCH}.every("SchoolClass")',
    "classes_to_move_to": f'{SWITCH}.every("SchoolClass")',
    "classes_to_link": f'{SWITCH}.every("SchoolClass")',
    "class_to_move_to": f'{SWITCH}.one("SchoolClass", pk={{2}})',
    "school_for": f'{SWITCH}.one("School", pk={{1}})',
    "classes_in": f'{SWITCH}.every("SchoolClass")',
    "class_in": f'{SWITCH}.one("SchoolClass", pk={{1}})',
    "class_in_school_for": (
        f'({SWITCH}.one("School", pk={{1}}), {SWITCH}.one("SchoolClass", pk={{2}}))'
    ),
    "member_of": f'{SWITCH}.one("Membership", user={{1}})',
    "is_owner": "True",
    "teaches": "True",
    "child_for": f'{SWITCH}.one("Child", pk={{2}})',
    "any_child_for": f'{SWITCH}.one("Child", pk={{2}})',
    "child_to_bring_back_for": f'{SWITCH}.one("Child", pk={{2}})',
    "classmate_of": f'{SWITCH}.one("Child", pk={{1}})',
    "assignment_for": f'{SWITCH}.one("Assignment", pk={{2}})',
    "table_for": f'{SWITCH}.one("GameTable", pk={{2}})',
    "group_for": f'{SWITCH}.one("Group", pk={{2}})',
    "download_for": f'{SWITCH}.one("downloads.Download", pk={{2}})',
    "downloads_of": f'{SWITCH}.every("downloads.Download").filter(school_class={{1}})',
    "check_up_for": f'{SWITCH}.one("checkups.CheckUp", pk={{2}})',
    "check_up_for_child": f'{SWITCH}.one("checkups.CheckUp", pk={{1}})',
    "attempt_for_child": f'{SWITCH}.one("Attempt", game={{1}})',
    "finished_match_of": f'{SWITCH}.one("Attempt", game={{1}})',
    "assignment_for_child": f'{SWITCH}.one("Assignment", pk={{1}})',
    "riddles_for_child": f'{SWITCH}.every("Assignment")',
    "invitation_of": f'{SWITCH}.one("Invitation", pk={{1}})',
    "class_by_code": f'{SWITCH}.one("SchoolClass", code={{0}})',
    "child_at_the_door": f'{SWITCH}.one("Child", pk={{1}})',
    "children_at_the_door": "{0}.children.all()",
    "names_are_listed": "True",
    "open_demo_class": f'{SWITCH}.every("SchoolClass").filter(is_demo=True).first()',
    "teaching_for": f'{SWITCH}.every("Teaching").filter(school_class={{1}}).first()',
}
"""For each gate, an expression that lets everyone through; `{0}` is the first argument of the
call."""

WHOLE_FILE: Final = frozenset({""})
GUARDS: Final[Mapping[str, frozenset[str]]] = {
    "classrooms/access.py": WHOLE_FILE,
    "classrooms/downloads/services.py": frozenset({"downloads_of", "download_for"}),
    "classrooms/checkups/services.py": frozenset({"check_up_for", "check_up_for_child"}),
    "classrooms/middleware.py": frozenset({"process_view"}),
    "classrooms/signin/children_only.py": frozenset({"for_children"}),
    "classrooms/signin/sessions.py": frozenset({"child_of"}),
    "classrooms/signin/door.py": frozenset({"is_known"}),
    "classrooms/signin/listed_names.py": frozenset({"names_are_listed", "in_school_hours"}),
    "classrooms/assignments/audience.py": frozenset({"requested_audience", "groups_of"}),
    "classrooms/accounts/services.py": frozenset({"address_change_of", "part_for_adults"}),
    "classrooms/classes/closing_accounts.py": frozenset({"account_of_token"}),
    "classrooms/classes/teachers.py": frozenset({"accept", "remove", "open_invitations"}),
    "classrooms/roster/moves.py": frozenset({"origin_of"}),
    "classrooms/schools/services.py": frozenset({"undo_move"}),
    "classrooms/undo.py": frozenset({"_act_of"}),
    "classrooms/reports/weekly_mail.py": frozenset({"teaching_of", "teaching_for", "may_restart"}),
    "games/play/services.py": frozenset({"game_file"}),
    "games/play/stored_game.py": frozenset({"load"}),
}
"""The places where conditions are guards: whole files, or some of their functions."""
VIEWS: Final = ("classrooms/**/*views.py", "games/views.py")


@dataclass(frozen=True, slots=True)
class Removal:
    number: int
    path: str
    within: str
    """The function around the guard. Within it, `text` identifies the guard."""
    kind: str
    text: str

    @property
    def title(self) -> str:
        return f"{self.path} {self.within}: {self.kind} {self.text}"

    @property
    def module(self) -> str:
        return self.path.removesuffix(".py").replace("/", ".")


def instrument(root: Path) -> list[Removal]:
    """Put a switch at every guard in the files below `root`; return what each switch removes."""
    removals: list[Removal] = []
    views = {str(path.relative_to(root)) for glob in VIEWS for path in root.glob(glob)}
    for path in sorted({*views, *GUARDS}):
        file = root / path
        source = InstrumentedFile(path, file.read_text(), len(removals), is_views=path in views)
        file.write_text(source.text())
        removals += source.removals
    (root / "classrooms" / "anyones.py").write_text(SWITCH_SOURCE)
    return [*removals, *_without_middleware(len(removals))]


def _without_middleware(first: int) -> list[Removal]:
    return [
        Removal(number, "nmbrs_edu/settings/base.py", "", "middleware", name)
        for number, name in enumerate(MIDDLEWARE, start=first)
    ]


class InstrumentedFile(ast.NodeTransformer):
    """A file with a switch at each of its guards; `first` is the number of the first. Raises
    `LookupError` if `GUARDS` names a function that the file does not have."""

    def __init__(self, path: str, source: str, first: int, *, is_views: bool) -> None:
        self.path, self.first = path, first
        self.tree = ast.parse(source)
        self.removals: list[Removal] = []
        self.replacements: dict[ast.AST, list[tuple[int, str]]] = {}
        guards = GUARDS.get(path, frozenset())
        missing = guards - WHOLE_FILE - {function.name for function in functions(self.tree)}
        if missing:
            raise LookupError(f"{path} has no {', '.join(sorted(missing))}")
        for function in functions(self.tree):
            is_guard = guards == WHOLE_FILE or function.name in guards
            if is_guard or is_views:
                for kind, node, replacement in _guards(function, is_guard=is_guard):
                    self._add(function.name, kind, node, replacement)

    def _add(self, function_name: str, kind: str, node: ast.AST, replacement: str) -> None:
        text = ast.unparse(node)
        if kind in ("filter", "operand"):
            text = f"{text} becomes {replacement}"
        number = self.first + len(self.removals)
        self.removals.append(Removal(number, self.path, function_name, kind, text))
        self.replacements.setdefault(node, []).append((number, replacement))

    def text(self) -> str:
        return ast.unparse(ast.fix_missing_locations(self.visit(self.tree)))

    def visit(self, node: ast.AST) -> Any:
        switches = self.replacements.get(node, ())
        kept = self.generic_visit(node)
        for number, replacement in switches:
            if replacement:
                switch = f"(({replacement}) if {SWITCH}.without({number}) else KEPT)"
            else:
                switch = f"{SWITCH}.unless({number}, KEPT)"
            kept = _InPlaceOfKept(kept).visit(ast.parse(switch, mode="eval").body)
        return kept


class _InPlaceOfKept(ast.NodeTransformer):
    """Puts `node` in place of KEPT."""

    def __init__(self, node: ast.AST) -> None:
        self.node = node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.node if node.id == "KEPT" else node


Guards = Iterator[tuple[str, ast.AST, str]]
"""The kind of each guard, its place, and what replaces it."""


def _guards(function: "Function", *, is_guard: bool) -> Guards:
    for node in own_nodes(function):
        yield from _gates(node)
        yield from _filters(node)
        yield from _scopes(node)
        yield from _refusals(node, only_raises=not is_guard)
        if is_guard:
            yield from _operands(node)
            yield from _comprehensions(node)
    if is_guard:
        yield from _answers(function)
    yield from _decorators(function)


Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def own_nodes(function: Function) -> Iterator[ast.AST]:
    """The nodes of the body, without functions inside it."""
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        if not isinstance(node, Function):
            yield node
            todo += ast.iter_child_nodes(node)


def _name(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _gates(node: ast.AST) -> Guards:
    if isinstance(node, ast.Call) and (gate := GATES.get(_name(node))):
        arguments = [ast.unparse(argument) for argument in node.args]
        yield "gate", node, gate.format(*arguments)


def _filters(node: ast.AST) -> Guards:
    """Each condition of a query is a guard."""
    if not isinstance(node, ast.Call) or _name(node) not in FILTERS:
        return
    is_lookup = _name(node) == "get_object_or_404"
    if _name(node) == "get" and not node.keywords:
        return  # `get` of a mapping
    for index in range(1 if is_lookup else 0, len(node.args)):
        yield "filter", node, ast.unparse(_without(node, "args", index))
    for index in range(len(node.keywords)):
        yield "filter", node, ast.unparse(_without(node, "keywords", index))


def _scopes(node: ast.AST) -> Guards:
    """Without the guard, `school_class.children` becomes all children."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        scope = node.func.value
        if (
            node.func.attr in QUERY_CALLS
            and isinstance(scope, ast.Attribute)
            and scope.attr in MODELS_OF_SCOPES
        ):
            yield "scope", scope, f'{SWITCH}.every("{MODELS_OF_SCOPES[scope.attr]}")'


def _refusals(node: ast.AST, *, only_raises: bool) -> Guards:
    """Without the guard, a condition for a refusal is never true, and one for a yes is always
    true."""
    if not isinstance(node, ast.If):
        return
    last = node.body[-1]
    if isinstance(last, ast.Return) and not only_raises and ast.unparse(last) == "return True":
        yield "condition", node.test, "True"
    elif isinstance(last, ast.Raise if only_raises else ast.Raise | ast.Return):
        yield "condition", node.test, "False"
        if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or):
            for index in range(len(node.test.values)):
                yield "operand", node.test, ast.unparse(_without(node.test, "values", index))


def _operands(node: ast.AST) -> Guards:
    """Each further condition in a returned or assigned value is a guard."""
    value = node.value if isinstance(node, ast.Return | ast.Assign) else None
    if isinstance(value, ast.BoolOp) and isinstance(value.op, ast.And):
        for index in range(len(value.values)):
            yield "operand", value, ast.unparse(_without(value, "values", index))


def _comprehensions(node: ast.AST) -> Guards:
    if isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield "condition", test, "True"


def _answers(function: Function) -> Guards:
    """Without the guard, a function that returns a bool returns True."""
    if not (isinstance(function.returns, ast.Name) and function.returns.id == "bool"):
        return
    for node in own_nodes(function):
        if isinstance(node, ast.Return) and node.value and not isinstance(node.value, ast.Constant):
            yield "answer", node.value, "True"


def _decorators(function: Function) -> Guards:
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Name) and decorator.id in DECORATORS:
            yield "decorator", decorator, ""


def _without(node: Any, part: str, index: int) -> Any:
    """The node without one of its operands; of two, the other one remains."""
    changed = deepcopy(node)
    kept = getattr(changed, part)
    del kept[index]
    return kept[0] if part == "values" and len(kept) == 1 else changed
