//! The driver for Python: a program beside the source, which is run with the names that LeetCode gives, in a thread with a
//! large stack.

use super::token::{Kind, Token};
use super::{Callee, Param, SourceFile, fill};
use crate::problem::Returns;
use std::collections::BTreeSet;

const DRIVER: &str = include_str!("driver/driver.py");

/// Modules whose names a solution may use without importing them; of two with the same name the first holds. Names that
/// are also Python's own (`pow`, `abs`) are not here: Python's hold.
const PRELUDE: [(&str, &str); 17] = [
    ("collections", "ChainMap Counter OrderedDict UserDict UserList UserString defaultdict deque namedtuple"),
    (
        "typing",
        "Any Callable ClassVar Collection Container Deque DefaultDict Dict Final FrozenSet Generator Generic Hashable \
         Iterable Iterator List Literal Mapping MutableMapping MutableSequence MutableSet NamedTuple NewType NoReturn \
         Optional Protocol Sequence Set Sized Text Tuple Type TypeVar TypedDict Union cast overload",
    ),
    (
        "functools",
        "cache cached_property cmp_to_key lru_cache partial partialmethod reduce singledispatch total_ordering \
         update_wrapper wraps",
    ),
    (
        "itertools",
        "accumulate batched chain combinations combinations_with_replacement compress count cycle dropwhile \
         filterfalse groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest",
    ),
    ("heapq", "heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest"),
    ("bisect", "bisect_left bisect_right insort insort_left insort_right"),
    (
        "math",
        "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf erfc exp exp2 \
         expm1 fabs factorial floor fma fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm \
         ldexp lgamma log log10 log1p log2 modf nan nextafter perm pi prod radians remainder sin sinh sqrt sumprod \
         tan tanh tau trunc ulp",
    ),
    (
        "operator",
        "add and_ attrgetter concat contains countOf delitem eq floordiv ge getitem gt iadd indexOf inv invert is_ \
         is_not itemgetter le lshift lt matmul methodcaller mod mul ne neg not_ or_ pos rshift setitem sub truediv \
         truth xor",
    ),
    (
        "string",
        "Formatter Template ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits \
         printable punctuation whitespace",
    ),
    (
        "random",
        "Random betavariate choice choices expovariate gauss getrandbits randbytes randint randrange sample seed \
         shuffle triangular uniform",
    ),
    ("datetime", "date time timedelta timezone tzinfo"),
    ("copy", "deepcopy"),
    (
        "statistics",
        "fmean geometric_mean harmonic_mean mean median median_high median_low mode multimode pstdev stdev variance",
    ),
    ("re", "findall finditer fullmatch match search split subn escape"),
    ("io", "BytesIO StringIO"),
    ("json", "dumps loads"),
    ("sys", "maxsize setrecursionlimit getrecursionlimit stdin stdout stderr argv"),
];

/// Modules that a solution may use without importing them; before the names above.
const MODULES: [&str; 23] = [
    "array",
    "bisect",
    "collections",
    "copy",
    "dataclasses",
    "datetime",
    "decimal",
    "enum",
    "fractions",
    "functools",
    "heapq",
    "io",
    "itertools",
    "json",
    "math",
    "operator",
    "os",
    "random",
    "re",
    "statistics",
    "string",
    "sys",
    "typing",
];

pub(super) fn signature(callee: &Callee) -> String {
    let returns = match callee.returns {
        Returns::Bool => "bool",
        Returns::Int | Returns::Long => "int",
        Returns::Text | Returns::OneOf(_) => "str",
        Returns::IntArray => "List[int]",
    };
    let type_ = |param: &Param| if param.is_array { "List[int]" } else { "int" };
    let params = callee.each(|_, param| format!("{}: {}", param.name, type_(param)));
    format!("class Solution with def {}(self, {params}) -> {returns}", callee.name)
}

pub(super) fn drive(callee: &Callee, source: &str, tokens: &[Token<'_>]) -> Vec<SourceFile> {
    let words: BTreeSet<&str> = tokens.iter().flat_map(words).collect();
    let uses_cache = ["cache", "lru_cache", "functools"].iter().any(|word| words.contains(word));
    let params = callee.each(|_, param| if param.is_array { "True" } else { "False" }.to_owned());
    let kind = match callee.returns {
        Returns::Bool => "bool",
        Returns::Int | Returns::Long => "int",
        Returns::Text | Returns::OneOf(_) => "text",
        Returns::IntArray => "ints",
    };
    let values = [
        ("NAME", quoted(&callee.name)),
        ("SIGNATURE", quoted(&signature(callee))),
        ("PARAMS", format!("[{params}]")),
        ("KIND", quoted(kind)),
        ("PRELUDE", prelude(&words)),
        ("OWN_CACHE", python_bool(uses_cache)),
        ("COUNTS_CALLS", python_bool(words.contains("cache_info"))),
    ];
    let values: Vec<(&str, &str)> = values.iter().map(|(key, value)| (*key, value.as_str())).collect();
    vec![
        SourceFile { name: "main.py".to_owned(), text: fill(DRIVER, &values) },
        SourceFile { name: "solution.py".to_owned(), text: source.to_owned() },
    ]
}

/// The names that a token may use: itself, or what stands in an f-string.
fn words<'a>(token: &Token<'a>) -> Vec<&'a str> {
    match token.kind {
        Kind::Word => vec![token.text],
        Kind::Text if token.text.bytes().take(2).any(|byte| matches!(byte, b'f' | b'F')) => {
            token.text.split(|one: char| !one.is_alphanumeric() && one != '_').collect()
        }
        _ => Vec::new(),
    }
}

/// The imports for the words that a source uses. Importing all of them would cost more than most solutions run.
fn prelude(words: &BTreeSet<&str>) -> String {
    let mut imports: Vec<String> = Vec::new();
    for word in words {
        if MODULES.contains(word) {
            imports.push(format!("({}, None)", quoted(word)));
        } else if let Some((module, _)) =
            PRELUDE.iter().find(|(_, names)| names.split_whitespace().any(|name| name == *word))
        {
            imports.push(format!("({}, {})", quoted(module), quoted(word)));
        }
    }
    format!("[{}]", imports.join(", "))
}

fn python_bool(value: bool) -> String {
    if value { "True" } else { "False" }.to_owned()
}

/// A Python text; names and signatures hold nothing that needs an escape but these two.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
