"""Reads the machine-made type stubs of Android and androidx, and says what their Java is."""

import ast
import functools
import importlib.metadata
import pathlib
from collections import namedtuple

# `result` and the types of `parameters` are Java types. `varargs` says that the last parameter takes any number.
Method = namedtuple("Method", "name generics parameters result static nullable varargs")
Field = namedtuple("Field", "name type")

PRIMITIVES = {"jint": "int", "jlong": "long", "jshort": "short", "jbyte": "byte", "jchar": "char",
              "jfloat": "float", "jdouble": "double", "jboolean": "boolean"}
RESULTS = {"int": "int", "bool": "boolean", "float": "float", "str": "java.lang.String"}
STUBS = "chaquopy-stubs-android"


class Class:
    """One class of the stubs: `name` with dots, such as `android.app.Application.ActivityLifecycleCallbacks`."""

    def __init__(self, name, node, outer):
        self.name, self.outer = name, outer
        self.inner, self.methods, self.constructors, self.fields = {}, [], [], []
        self.node = node
        self.generics, self.supertypes = [], []
        self.has_constructor = any(isinstance(one, ast.FunctionDef) and one.name == "__init__" for one in node.body)
        for one in node.body:
            if isinstance(one, ast.ClassDef):
                self.inner[one.name] = Class(f"{name}.{one.name}", one, self)


class Stubs:
    def __init__(self):
        self.root = pathlib.Path(str(importlib.metadata.distribution(STUBS).locate_file("")))
        self.classes, self.read = {}, {}

    @functools.lru_cache(maxsize=None)
    def module(self, package):
        """The file of a package as a syntax tree, or None."""
        first, *others = package.split(".")
        file = self.root.joinpath(f"{first}-stubs", *others, "__init__.pyi")
        if first not in ("android", "androidx", "org") or not file.exists():
            return None
        tree = ast.parse(file.read_text())
        variables = {}
        for node in tree.body:
            if isinstance(node, ast.Assign):
                variables.update(type_variable(node))
        return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}, variables

    @functools.lru_cache(maxsize=None)
    def find(self, name):
        """The class of a name, or None. Its supertypes, methods and fields are read."""
        parts = name.split(".")
        for count in range(len(parts) - 1, 0, -1):
            package = ".".join(parts[:count])
            found = self.module(package)
            if found is None:
                continue
            classes, variables = found
            outermost = f"{package}.{parts[count]}"
            if parts[count] not in classes:
                return None
            if outermost not in self.classes:
                self.classes[outermost] = Class(outermost, classes[parts[count]], None)
                self.fill(self.classes[outermost], package, variables)
            here = self.classes[outermost]
            for part in parts[count + 1:]:
                here = here.inner.get(part) if here else None
            return here
        return None

    def fill(self, one, package, variables):
        variables = dict(variables)
        reader = Types(package, variables)
        for base in one.node.bases:
            text = ast.unparse(base)
            if text.startswith("typing.Generic["):
                nodes = base.slice.elts if isinstance(base.slice, ast.Tuple) else [base.slice]
                one.generics = [reader.variable(node.id) for node in nodes]
            elif text not in ("typing.Protocol", "object"):
                one.supertypes.append(reader.java(base))
        for node in one.node.body:
            if isinstance(node, ast.Assign):
                variables.update(type_variable(node))
            elif isinstance(node, ast.AnnAssign):
                one.fields.append(Field(node.target.id, reader.field(node.annotation)))
            elif isinstance(node, ast.FunctionDef):
                method = reader.method(node)
                (one.constructors if node.name == "__init__" else one.methods).append(method)
        for inner in one.inner.values():
            self.fill(inner, package, variables)


def type_variable(node):
    """`_Name__T = typing.TypeVar('_Name__T', bound=…)` as a dictionary of one."""
    call = node.value
    if not isinstance(call, ast.Call) or not ast.unparse(call.func).endswith("TypeVar"):
        return {}
    bounds = [word.value for word in call.keywords if word.arg == "bound"]
    return {node.targets[0].id: bounds[0] if bounds else None}


class Types:
    def __init__(self, package, variables):
        self.package, self.variables = package, variables

    def variable(self, name):
        bound = self.variables[name]
        return short(name) + (f" extends {self.java(bound)}" if bound is not None else "")

    def field(self, annotation):
        # typing.ClassVar[X], or a property of the class.
        node = annotation.slice if ast.unparse(annotation).startswith("typing.ClassVar[") else annotation
        return ("static " if node is not annotation else "") + self.java(node)

    def java(self, node, boxes=False):
        """The Java type of a node. A union has the types that Python may pass: the Java one is last."""
        if isinstance(node, ast.BinOp):
            names = [one for one in union(node) if ast.unparse(one) != "None"]
            texts = [ast.unparse(one) for one in names]
            primitives = [PRIMITIVES[text[5:]] for text in texts if text[5:] in PRIMITIVES and text[:5] == "java."]
            if primitives and not boxes:
                return primitives[0]
            javas = [one for one, text in zip(names, texts, strict=True)
                     if text not in RESULTS and not (text[:5] == "java." and text[5:] in PRIMITIVES)]
            return self.java(javas[0] if javas else names[-1], boxes)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self.java(ast.parse(node.value, mode="eval").body, boxes)
        if isinstance(node, ast.Subscript):
            base = ast.unparse(node.value)
            nodes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            if base == "typing.Type":
                of = self.java(nodes[0], True)
                return f"java.lang.Class<{'?' if of == 'java.lang.Object' else of}>"
            if base == "java.chaquopy.JavaArray":
                return self.java(nodes[0]) + "[]"
            return f"{self.java(node.value)}<{', '.join(self.java(one, True) for one in nodes)}>"
        text = ast.unparse(node)
        if text in ("None", "typing.Any"):
            return "void" if text == "None" else "java.lang.Object"
        if text.startswith("java.chaquopy.JavaArrayJ"):
            return PRIMITIVES["j" + text.removeprefix("java.chaquopy.JavaArrayJ").lower()] + "[]"
        if text.startswith("java.") and text[5:] in PRIMITIVES:
            return PRIMITIVES[text[5:]]
        if text in RESULTS:
            return RESULTS[text]
        if text in self.variables:
            return short(text)
        return text if text.split(".")[0] in ("java", "javax", "android", "androidx", "kotlin", "kotlinx", "org",
                                              "dalvik") else f"{self.package}.{text}"

    def method(self, node):
        static = any(ast.unparse(one) == "staticmethod" for one in node.decorator_list)
        arguments = node.args.posonlyargs + node.args.args
        if not static:
            arguments = arguments[1:]
        parameters = [(one.arg, self.java(one.annotation)) for one in arguments]
        rest = node.args.vararg
        if rest:
            parameters.append((rest.arg, self.java(rest.annotation)))
        used = {one.id for part in [*arguments, *([rest] if rest else []), node] for one in ast.walk(
            part.returns if part is node else part.annotation) if isinstance(one, ast.Name)}
        own = sorted(name for name in used if name in self.variables and name.startswith(f"_{node.name}_"))
        return Method(node.name, [self.variable(name) for name in own], parameters, self.java(node.returns), static,
                      "None" in [ast.unparse(one) for one in union(node.returns)[1:]], rest is not None)


def union(node):
    if isinstance(node, ast.BinOp):
        return union(node.left) + union(node.right)
    return [node]


def short(name):
    """`_Class__T` and `_method_0__T` are `T` in Java."""
    return name.rsplit("__", 1)[1]
