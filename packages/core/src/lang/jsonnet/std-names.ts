/** What std has, sorted; `$` names are go-jsonnet's own helpers, which listings show. */
const names = `$flatMapArray $objectFlatMerge __array_greater __array_greater_or_equal __array_less
__array_less_or_equal __compare __compare_array abs acos all any asciiLower asciiUpper asin assertEqual atan atan2 avg
base64 base64Decode base64DecodeBytes ceil char clamp codepoint contains cos count decodeUTF8 deepJoin deg2rad
encodeUTF8 endsWith equals equalsIgnoreCase escapeStringBash escapeStringDollars escapeStringJson escapeStringPython
escapeStringXML exp exponent extVar filter filterMap find findSubstr flatMap flattenArrays flattenDeepArray floor foldl
foldr format get hypot id isArray isBoolean isDecimal isEmpty isEven isFunction isInteger isNull isNumber isObject
isOdd isString join length lines log log10 log2 lstripChars makeArray manifestIni manifestJson manifestJsonEx
manifestJsonMinified manifestPython manifestPythonVars manifestToml manifestTomlEx manifestXmlJsonml manifestYamlDoc
manifestYamlStream mantissa map mapWithIndex mapWithKey max maxArray md5 member mergePatch min minArray mod modulo
native objectFields objectFieldsAll objectFieldsEx objectHas objectHasAll objectHasEx objectKeysValues
objectKeysValuesAll objectRemoveKey objectValues objectValuesAll parseHex parseInt parseJson parseOctal parseYaml pi
pow primitiveEquals prune rad2deg range remove removeAt repeat resolvePath reverse round rstripChars set setDiff
setInter setMember setUnion sha1 sha256 sha3 sha512 sign sin slice sort split splitLimit splitLimitR sqrt startsWith
strReplace stringChars stripChars substr sum tan thisFile toString trace trim type uniq xnor xor`

export const stdNames: ReadonlySet<string> = new Set(names.split(/\s+/))
