"""Finds cycles of `use` between the modules of a crate, for structure.py."""
from dataclasses import dataclass

from rust_source import imports

# The `impl` blocks of one type are spread over several files, which may use each other:
# (crate, parent module, type, files).
FILES_OF_ONE_TYPE = (
    ("passes", "crate::elide_copies::decide", "State", ("search", "state", "profitability")),
)


@dataclass(frozen=True, order=True)
class Edge:
    """One module's use of another, and its first location."""
    user: str
    used: str
    file: str
    line: int


def paths(module):
    """The paths in a module with their lines: those of `use`, and those from `crate`, `self` or `super` on in code."""
    found, ranges = imports(module.tokens)
    all_paths = [(one.path, one.line) for one in found]
    skipped = {place for start, end in ranges for place in range(start, end)}
    at, all_tokens = 0, module.tokens
    while at + 1 < len(all_tokens):
        token = all_tokens[at]
        is_head = (token.kind == "ident" and token.text in ("crate", "self", "super")
                   and all_tokens[at + 1].text == "::" and at not in skipped)
        if not is_head:
            at += 1
            continue
        path, line = [token.text], token.line
        while at + 2 < len(all_tokens) and all_tokens[at + 1].text == "::" and all_tokens[at + 2].kind == "ident":
            path.append(all_tokens[at + 2].text)
            at += 2
        all_paths.append((tuple(path), line))
        at += 1
    return all_paths


def resolve(modules, module, path):
    """The module of the crate that a path refers to, or that has the item; None for another crate."""
    here = module.path
    head, *rest = path
    if head == "crate":
        here = ()
    elif head == "super":
        here = here[:-1]
        while rest and rest[0] == "super":
            here, rest = here[:-1], rest[1:]
    elif head != "self":
        if head not in module.children:
            return None
        here += (head,)
    for name in rest:
        if name not in modules[here].children:
            break
        here += (name,)
    return modules[here]


def edges(root):
    """For the path of each module, the modules that it uses, without its ancestors and descendants."""
    modules = {module.path: module for module in root.walk()}
    found = {}
    for module in modules.values():
        used = found.setdefault(module.path, {})
        for path, line in paths(module):
            other = resolve(modules, module, path)
            if other is None:
                continue
            least = min(len(other.path), len(module.path))
            if other.path[:least] != module.path[:least]:
                used.setdefault(other.path, (module.file, line))
    return found


def components(graph):
    """Strongly connected components of more than one node, sorted (Tarjan's algorithm)."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []
    for start in sorted(graph):
        if start in index:
            continue
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        work = [(start, iter(sorted(graph[start])))]
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(sorted(graph[other]))))
                    break
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = stack.index(node)
                    if len(stack) - at > 1:
                        found.append(sorted(stack[at:]))
                    on_stack.difference_update(stack[at:])
                    del stack[at:]
    return sorted(found)


def implements(module, name):
    """Whether the module has an `impl` block of the type."""
    all_tokens = module.tokens
    heads = (at for at, token in enumerate(all_tokens) if token.kind == "ident" and token.text == "impl")
    for at in heads:
        opens = next((end for end in range(at, len(all_tokens)) if all_tokens[end].text == "{"), at)
        head = [token.text for token in all_tokens[at:opens]]
        if name in (head[head.index("for"):] if "for" in head else head):
            return True
    return False


def files_of_one_type(crate, root):
    """The groups that are listed for a crate, each as paths: the files that have an `impl` block of the type."""
    modules = {name(module.path): module for module in root.walk()}
    for of, parent, what, files in FILES_OF_ONE_TYPE:
        if of == crate:
            listed = [modules.get(f"{parent}::{file}") for file in files]
            yield {module.path for module in listed if module and implements(module, what)}


def name(path):
    return "::".join(("crate",) + path)


def cycles(crate, root):
    """The cycles of a crate's target, each as its edges."""
    graph = edges(root)
    for group in files_of_one_type(crate, root):
        for user in group:
            graph[user] = {used: where for used, where in graph[user].items() if used not in group}
    return [[Edge(name(user), name(used), *graph[user][used])
             for user in members for used in sorted(graph[user]) if used in members]
            for members in components(graph)]
