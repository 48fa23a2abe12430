"""Parses Rust for structure.py: tokens, imports, and the modules of a crate without those under `#[cfg(test)]`."""
import os
import re
from dataclasses import dataclass, field

TOKEN = re.compile(
    r"""
      (?P<comment>//[^\n]*)
    | (?P<block>/\*)
    | (?P<raw>[bc]?r(?P<hashes>\#*)"(?P<raw_text>.*?)"(?P=hashes))
    | (?P<string>[bc]?"(?P<text>(?:[^"\\]|\\.)*)")
    | (?P<char>b?'(?:[^'\\]|\\x..|\\u\{[^}]*\}|\\.)')
    | (?P<lifetime>'[^\W\d]\w*)
    | (?P<ident>(?:r\#)?[^\W\d]\w*)
    | (?P<number>\d\w*(?:\.\d\w*)?)
    | (?P<mark>::|->|=>|\S)
    | (?P<space>\s+)
    """,
    re.DOTALL | re.VERBOSE)
BLOCK_EDGE = re.compile(r"/\*|\*/")
OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}
# First words of items. After an attribute, other words begin a field, a variant, an arm or a statement.
ITEM = {"pub", "mod", "fn", "use", "impl", "struct", "enum", "union", "trait", "type", "const", "static", "extern",
        "unsafe", "async", "macro_rules"}
FUNCTION = (["fn"], ["unsafe"], ["async"], ["extern"])


@dataclass(frozen=True)
class Token:
    """`kind`: ident, string, char, lifetime, number or mark. `text`: for a string, the text between the quotes."""
    kind: str
    text: str
    line: int


def tokens(source):
    """All tokens except white space and comments, including doc comments."""
    found, at, line = [], 0, 1
    while at < len(source):
        match = TOKEN.match(source, at)
        kind, end = match.lastgroup, match.end()
        if match["block"]:
            end, depth = match.end(), 1
            while depth:
                edge = BLOCK_EDGE.search(source, end)
                if not edge:
                    end = len(source)
                    break
                depth += 1 if edge[0] == "/*" else -1
                end = edge.end()
        elif match["raw"] is not None:
            found.append(Token("string", match["raw_text"], line))
        elif match["string"] is not None:
            found.append(Token("string", match["text"], line))
        elif kind not in ("comment", "space"):
            found.append(Token(kind, match[0].removeprefix("r#"), line))
        line += source.count("\n", at, end)
        at = end
    return found


def closing(all_tokens, at):
    """The place of the bracket that closes the one at `at`."""
    depth = 0
    for place in range(at, len(all_tokens)):
        token = all_tokens[place]
        if token.kind == "mark":
            depth += (token.text in OPENING) - (token.text in CLOSING)
            if depth == 0:
                return place
    return len(all_tokens) - 1


def is_test(attribute):
    """Whether an attribute, as texts from `cfg` on, holds under `test` only."""
    if attribute[:2] != ["cfg", "("]:
        return False
    inner = attribute[2:-1]
    if inner == ["test"]:
        return True
    if inner[:2] != ["all", "("]:
        return False
    depth = 0
    for before, text, after in zip(inner[1:], inner[2:], inner[3:]):
        depth += (before == "(") - (before == ")")
        if depth == 1 and text == "test" and before in "(," and after in "),":
            return True
    return False


def item_end(all_tokens, at):
    """The last token of the item, field, arm or statement that begins at `at`."""
    has_commas = all_tokens[at].text not in ITEM
    if all_tokens[at].text == "pub" and at + 1 < len(all_tokens):
        at = closing(all_tokens, at + 1) + 1 if all_tokens[at + 1].text == "(" else at + 1
    head = [token.text for token in all_tokens[at:at + 2]]
    ends_with_semicolon = head[0] in ("use", "let", "static") or (head[0] == "const" and head[1:] not in FUNCTION)
    while at < len(all_tokens):
        token = all_tokens[at]
        if token.kind == "mark":
            if token.text in OPENING:
                close = closing(all_tokens, at)
                if token.text == "{" and not ends_with_semicolon:
                    return close
                at = close
            elif token.text in CLOSING:
                return at - 1
            elif token.text == ";" or (token.text == "," and has_commas):
                return at
        at += 1
    return len(all_tokens) - 1


@dataclass(frozen=True)
class Import:
    """One leaf of a `use`. `path`: with the name, which is `*` for all; `known_as`: the name in this module."""
    path: tuple
    known_as: str
    line: int


def imports(all_tokens):
    """The imports of a module, and the ranges of their tokens: half-open."""
    found, ranges, at = [], [], 0
    while at + 1 < len(all_tokens):
        # `use<'a>` lists the captures of a type.
        if all_tokens[at].text != "use" or all_tokens[at].kind != "ident" or all_tokens[at + 1].text == "<":
            at += 1
            continue
        end = use_tree(all_tokens, at + 1, (), found)
        ranges.append((at, end))
        at = end
    return found, ranges


def use_tree(all_tokens, at, path, found):
    """Parses the tree at `at` after `path`. Returns its end."""
    while at < len(all_tokens):
        token = all_tokens[at]
        if token.text == "{":
            close = closing(all_tokens, at)
            at += 1
            while at < close:
                at = use_tree(all_tokens, at, path, found) + 1
            return close + 1
        if token.text == "*":
            found.append(Import(path + ("*",), "*", token.line))
            return at + 1
        if token.kind == "ident":
            path += (token.text,)
            after = all_tokens[at + 1].text if at + 1 < len(all_tokens) else ";"
            if after == "as":
                found.append(Import(path, all_tokens[at + 2].text, token.line))
                return at + 3
            if after != "::":
                name = path[-2] if path[-1] == "self" and len(path) > 1 else path[-1]
                found.append(Import(path, name, token.line))
                return at + 1
        elif token.text != "::":
            return at
        at += 1
    return at


@dataclass
class Module:
    """`path`: names from the crate's root, whose path is empty. `tokens`: those outside of nested modules and tests.
    `lines`: the lines of a module that is a file, without test modules."""
    path: tuple
    file: str
    is_file: bool
    tokens: list = field(default_factory=list)
    children: dict = field(default_factory=dict)
    lines: int = 0

    def walk(self):
        yield self
        for child in self.children.values():
            yield from child.walk()


class Reader:
    """Reads the modules of one crate's target."""

    def __init__(self, root):
        self.root = root
        # All files that were read, and those of test modules.
        self.files, self.test_files = set(), set()

    def read(self, file):
        """The root module in `file`."""
        return self.of_file((), file, os.path.dirname(file))

    def of_file(self, path, file, folder):
        """The module in `file`, whose children's files are in `folder`; None if it is for tests."""
        with open(os.path.join(self.root, file), encoding="utf-8") as opened:
            source = opened.read()
        module = Module(path, file, True, lines=source.count("\n") + (not source.endswith("\n")))
        self.files.add(file)
        all_tokens = tokens(source)
        if self.scan(module, all_tokens, 0, len(all_tokens), folder, module):
            return module
        self.test_files.add(file)
        return None

    def scan(self, module, all_tokens, at, end, folder, whole):
        """Adds tokens from `at` to `end` to `module`, in the file of the module `whole`. Returns False if it is for tests."""
        path_attribute = None
        while at < end:
            token = all_tokens[at]
            after = all_tokens[at + 1].text if at + 1 < end else ""
            if token.text == "#" and token.kind == "mark" and after in ("[", "!"):
                opens = at + 1 if after == "[" else at + 2
                if opens < end and all_tokens[opens].text == "[":
                    close = closing(all_tokens, opens)
                    texts = [part.text for part in all_tokens[opens + 1:close]]
                    if is_test(texts):
                        if after == "!":
                            return False
                        at = self.skip(module, all_tokens, at, close + 1, folder, whole)
                        continue
                    if texts[:2] == ["path", "="]:
                        path_attribute = texts[2]
                    module.tokens += all_tokens[at:close + 1]
                    at = close + 1
                    continue
            is_mod = token.kind == "ident" and token.text == "mod" and at + 2 < end
            if is_mod and all_tokens[at + 1].kind == "ident" and all_tokens[at + 2].text in (";", "{"):
                close = self.child(module, all_tokens, at, folder, whole, path_attribute)
                path_attribute = None
                at = close + 1
                continue
            if token.kind == "mark" and token.text in (";", "}"):
                path_attribute = None
            module.tokens.append(token)
            at += 1
        return True

    def child(self, module, all_tokens, at, folder, whole, path_attribute):
        """Reads the module whose `mod` is at `at`. Returns the end of its declaration."""
        name = all_tokens[at + 1].text
        inside = os.path.join(folder, name)
        if all_tokens[at + 2].text == ";":
            file = self.file_of(folder, name, path_attribute, module.file)
            # A module that a macro declares may have no file.
            if file:
                is_root_of_folder = path_attribute or os.path.basename(file) == "mod.rs"
                read = self.of_file(module.path + (name,), file, os.path.dirname(file) if is_root_of_folder else inside)
                if read:
                    module.children[name] = read
            return at + 2
        close = closing(all_tokens, at + 2)
        child = Module(module.path + (name,), module.file, False)
        if self.scan(child, all_tokens, at + 3, close, inside, whole):
            module.children[name] = child
        else:
            whole.lines -= all_tokens[close].line - all_tokens[at].line + 1
        return close

    def skip(self, module, all_tokens, attribute, at, folder, whole):
        """Skips the item after an attribute for tests. Returns the start of the next item."""
        path_attribute = None
        while at + 1 < len(all_tokens) and all_tokens[at].text == "#" and all_tokens[at + 1].text == "[":
            close = closing(all_tokens, at + 1)
            texts = [part.text for part in all_tokens[at + 2:close]]
            if texts[:2] == ["path", "="]:
                path_attribute = texts[2]
            at = close + 1
        if at >= len(all_tokens):
            return at
        end = item_end(all_tokens, at)
        # `pub(crate) mod x`
        words = [token.text for token in all_tokens[at:end + 1]]
        start = words.index("mod") if "mod" in words[:6] else None
        if start is not None and words[start + 2:start + 3] in ([";"], ["{"]):
            whole.lines -= all_tokens[end].line - all_tokens[attribute].line + 1
            if words[start + 2] == ";":
                file = self.file_of(folder, words[start + 1], path_attribute, module.file)
                if file:
                    self.drop(file, os.path.join(folder, words[start + 1]))
        return end + 1

    def drop(self, file, folder):
        """Adds the file of a test module, and the files in its folder, to `test_files`."""
        self.test_files.add(file)
        if os.path.basename(file) == "mod.rs":
            folder = os.path.dirname(file)
        for at, _, names in os.walk(os.path.join(self.root, folder)):
            here = os.path.relpath(at, self.root)
            self.test_files.update(os.path.join(here, name) for name in names if name.endswith(".rs"))

    def file_of(self, folder, name, path_attribute, of):
        if path_attribute:
            return os.path.normpath(os.path.join(os.path.dirname(of), path_attribute))
        for file in (os.path.join(folder, name + ".rs"), os.path.join(folder, name, "mod.rs")):
            if os.path.exists(os.path.join(self.root, file)):
                return file
        return None
