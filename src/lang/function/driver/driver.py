"""Calls the solution for each request on descriptor 3 and sends each result on descriptor 4."""
import _thread
import os
import sys

NAME = @NAME@
SIGNATURE = @SIGNATURE@
PARAMS = @PARAMS@  # for each parameter whether it is a list
KIND = @KIND@
PRELUDE = @PRELUDE@  # names that the solution uses: (module, name), or (module, None) for the module itself
OWN_CACHE = @OWN_CACHE@ and sys.version_info >= (3, 12)

# Untouched pages of a stack cost nothing; where address space is bounded, a smaller one has to do.
STACK_BYTES = [size << 20 for size in (1024, 512, 256, 128, 64, 16)]
# Deep enough for any honest solution, and an endless one ends here before it has eaten its memory.
RECURSION_LIMIT = 550_000
FRAMES_SHOWN = 25


def supply_caches():
    """CPython 3.12 and newer bound the recursion through C, and so through functools.cache, to some thousand levels.

    These have the same meaning and call the function from Python.
    """
    import functools
    from collections import OrderedDict

    missing = object()
    mark = object()
    makers = {}
    counts_calls = @COUNTS_CALLS@

    def maker_text(names, bounded):
        args = ", ".join(names)
        key = names[0] if len(names) == 1 else "(" + args + ")"
        return "".join([
            "def make__(function__, memo__, missing__, counts__, maxsize__):\n",
            "    get__ = memo__.get\n",
            "    def call__(" + args + "):\n",
            "        key__ = " + key + "\n",
            "        result__ = get__(key__, missing__)\n",
            "        if result__ is not missing__:\n",
            "            counts__[0] += 1\n" if counts_calls else "",
            "            memo__.move_to_end(key__)\n" if bounded else "",
            "            return result__\n",
            "        counts__[1] += 1\n" if counts_calls else "",
            "        result__ = function__(" + args + ")\n",
            "        if key__ not in memo__ and len(memo__) >= maxsize__: memo__.popitem(False)\n" if bounded else "",
            "        memo__[key__] = result__\n",
            "        return result__\n",
            "    return call__\n",
        ])

    def make_plain(function, memo, counts, maxsize):
        """For positional parameters only: a function with the same parameters."""
        code = function.__code__
        names = code.co_varnames[:code.co_argcount]
        maker = makers.get((names, maxsize is None))
        if maker is None:
            scope = {}
            exec(maker_text(names, maxsize is not None), scope)
            maker = makers[names, maxsize is None] = scope["make__"]
        call = maker(function, memo, missing, counts, maxsize)
        call.__defaults__ = function.__defaults__
        return call

    def make_general(function, memo, counts, maxsize, typed):
        def call(*args, **kwargs):
            key = (args, mark, *kwargs.items()) if kwargs else args
            if typed:
                key = (key, *map(type, args), *map(type, kwargs.values()))
            result = memo.get(key, missing)
            if result is not missing:
                counts[0] += 1
                if maxsize is not None:
                    memo.move_to_end(key)
                return result
            counts[1] += 1
            result = function(*args, **kwargs)
            if maxsize != 0:
                if maxsize is not None and key not in memo and len(memo) >= maxsize:
                    memo.popitem(False)
                memo[key] = result
            return result
        return call

    def decorate(function, maxsize, typed):
        memo = {} if maxsize is None else OrderedDict()
        counts = [0, 0]
        code = getattr(function, "__code__", None)
        # 4 and 8: *args and **kwargs.
        is_plain = isinstance(function, type(decorate)) and code.co_argcount and not code.co_kwonlyargcount \
            and not code.co_posonlyargcount and not code.co_flags & 12 and not typed and maxsize != 0
        if is_plain:
            call = make_plain(function, memo, counts, maxsize)
        else:
            call = make_general(function, memo, counts, maxsize, typed)

        def cache_clear():
            memo.clear()
            counts[:] = 0, 0

        call.cache_info = lambda: functools._CacheInfo(counts[0], counts[1], maxsize, len(memo))
        call.cache_clear = cache_clear
        call.cache_parameters = lambda: {"maxsize": maxsize, "typed": typed}
        return functools.update_wrapper(call, function)

    def lru_cache(maxsize=128, typed=False):
        if callable(maxsize) and isinstance(typed, bool):
            return decorate(maxsize, 128, typed)
        if maxsize is not None:
            maxsize = max(int(maxsize), 0)
        return lambda function: decorate(function, maxsize, typed)

    functools.lru_cache = lru_cache
    functools.cache = lambda function: decorate(function, None, False)


def load():
    """The solution's module, with the names it uses and doesn't import."""
    path = os.path.join(sys.path[0], "solution.py")
    with open(path, "rb") as file:
        source = file.read()
    module = type(sys)("solution")
    module.__file__ = path
    sys.modules["solution"] = module
    if OWN_CACHE:
        supply_caches()
    for module_name, name in PRELUDE:
        try:
            found = __import__(module_name)
        except ImportError:
            continue
        if name is None:
            setattr(module, module_name, found)
        elif hasattr(found, name):
            setattr(module, name, getattr(found, name))
    exec(compile(source, "solution.py", "exec"), module.__dict__)
    return module


def takes(function, count):
    """Whether a function takes so many positional arguments; True when that can't be seen."""
    code = getattr(function, "__code__", None)
    if code is None or hasattr(function, "__wrapped__"):
        return True
    least = code.co_argcount - len(function.__defaults__ or ())
    return least <= count and (count <= code.co_argcount or bool(code.co_flags & 4))


def shown(name, function):
    code = getattr(function, "__code__", None)
    return "%s(%s)" % (name, ", ".join(code.co_varnames[:code.co_argcount])) if code else name


def refuse(found):
    sys.stdout.flush()
    sys.stderr.write("expected: %s; found: %s\n" % (SIGNATURE, found))
    sys.stderr.flush()
    os._exit(1)


def callee(module):
    """The class to make afresh for each call, or None, and the function."""
    solution = getattr(module, "Solution", None)
    if isinstance(solution, type):
        raw = next((one.__dict__[NAME] for one in solution.__mro__ if NAME in one.__dict__), None)
        if raw is None:
            methods = [shown(name, raw) for name, raw in vars(solution).items() if callable(raw) and name[:2] != "__"]
            refuse("class Solution with " + (", ".join(methods[:3]) or "no methods"))
        function = getattr(raw, "__func__", raw)
        if not takes(function, len(PARAMS) + (not isinstance(raw, staticmethod))):
            refuse(shown(NAME, function))
        return solution, None
    function = getattr(module, NAME, None)
    if not callable(function):
        classes = [name for name, one in vars(module).items() if isinstance(one, type) and one.__module__ == "solution"]
        refuse("class " + classes[0] if classes else "no class Solution")
    if not takes(function, len(PARAMS)):
        refuse(shown(NAME, function))
    return None, function


def escaped(text):
    if text.isprintable() and "\\" not in text:
        return text
    plain = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return "".join(plain.get(one) or (one if one >= " " and one != "\x7f" else "\\x%02x" % ord(one)) for one in text)


def other(value):
    """A value that is no answer, as a message names it."""
    import reprlib
    return "?" + escaped(reprlib.repr(value)[:200])


def integer(value):
    if isinstance(value, float) or not hasattr(value, "__index__"):
        return None
    value = value.__index__()
    return str(value) if value.bit_length() < 70 else None


def answer(value):
    if KIND == "text":
        return "=" + escaped(value) if isinstance(value, str) else other(value)
    if KIND == "bool":
        # As in Python itself, 0 is as good as False and any other number as True: `return ones and twos`.
        is_number = isinstance(value, (int, float)) or type(value).__name__ in ("bool_", "bool")
        return ("=true" if value else "=false") if is_number else other(value)
    if KIND == "ints":
        if not isinstance(value, (list, tuple)):
            return other(value)
        items = [integer(item) for item in value]
        return other(value) if None in items else "=" + " ".join(items)
    text = integer(value)
    return other(value) if text is None else "=" + text


def serve():
    solution, function = callee(load())
    requests = open(3, "rb", 1 << 16)
    while True:
        nonce = requests.readline()
        if not nonce:
            return
        arguments = []
        for is_list in PARAMS:
            line = requests.readline()
            if is_list:
                values = list(map(int, line.split()))
                del values[0]
                arguments.append(values)
            else:
                arguments.append(int(line))
        if solution is None:
            value = function(*arguments)
        else:
            value = getattr(solution(), NAME)(*arguments)
        reply = "%s %s\n" % (nonce.decode().strip(), answer(value))
        reply = reply.encode("utf-8", "backslashreplace")
        while reply:
            reply = reply[os.write(4, reply):]


def complain(error):
    """The error with its stack, without our own frames and without the middle of an endless recursion."""
    import linecache
    import traceback
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != "solution.py":
        trace = trace.tb_next
    if trace is None and not isinstance(error, SyntaxError):
        trace = error.__traceback__
    try:
        path = sys.modules["solution"].__file__
        lines = linecache.updatecache(path)
        linecache.cache["solution.py"] = (0, None, lines, path)
    except Exception:
        # Without its lines a stack still says what happened.
        pass
    traceback.print_exception(type(error), error, trace, limit=-FRAMES_SHOWN)


def main(leave=os._exit):
    """Whatever the solution did to names that reporting needs, the process ends."""
    status = 1
    try:
        status = run()
        for stream in sys.stdout, sys.stderr:
            try:
                stream.flush()
            except Exception:
                pass
    finally:
        leave(status & 255)


def run():
    try:
        serve()
        return 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if status == 1 and not isinstance(end.code, int):
            sys.stderr.write("%s\n" % end.code)
        return status
    except BaseException as error:
        complain(error)
        return 1


if __name__ == "__main__":
    sys.setrecursionlimit(RECURSION_LIMIT)
    for size in STACK_BYTES:
        try:
            _thread.stack_size(size)
            _thread.start_new_thread(main, ())
            break
        except (RuntimeError, ValueError, MemoryError):
            continue
    else:
        main()
    forever = _thread.allocate_lock()
    forever.acquire()
    forever.acquire()
