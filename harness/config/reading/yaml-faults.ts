import type { ErrorCode } from 'yaml';

/** What each of the parser's complaints means to the author of a file. Its own words quote the file, secrets too. */
export const yamlFaults: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias cannot have an anchor or a tag',
  BAD_ALIAS: 'an alias or anchor needs a name – text that starts with `*` or `&` belongs in quotes',
  BAD_COLLECTION_TYPE: 'a tag does not fit what follows it',
  BAD_DIRECTIVE: 'a line that starts with `%` is not a known YAML directive',
  BAD_DQ_ESCAPE: 'an escape in double quotes is not one that YAML knows – single quotes take text as it is',
  BAD_INDENT: 'the indentation does not fit the lines above',
  BAD_PROP_ORDER: 'an anchor or tag is in the wrong place',
  BAD_SCALAR_START: 'text that starts with `@`, `%` or a backtick belongs in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'two `name: value` pairs are on one line – text that holds `: ` belongs in quotes',
  BLOCK_IN_FLOW: 'an indented block cannot stand inside `{…}` or `[…]`',
  DUPLICATE_KEY: 'a field is given twice – keep one',
  IMPOSSIBLE: 'this is not YAML',
  KEY_OVER_1024_CHARS: 'the name of a field is longer than 1024 characters – is a quote missing before it?',
  MISSING_CHAR: 'something is missing here: a space after `:` or `-`, a comma, a closing quote or bracket',
  MULTILINE_IMPLICIT_KEY: 'the name of a field spans lines – is the space after a `:` missing?',
  MULTIPLE_ANCHORS: 'a value has two anchors',
  MULTIPLE_DOCS: 'a second YAML document starts here – one file holds one',
  MULTIPLE_TAGS: 'a value has two tags',
  NON_STRING_KEY: 'the name of a field must be text',
  RESOURCE_EXHAUSTION: 'the file is nested too deeply',
  TAB_AS_INDENT: 'a tab indents this line – use spaces',
  TAG_RESOLVE_FAILED: 'tags (`!name`) are not supported – text that starts with `!` belongs in quotes',
  UNEXPECTED_TOKEN: 'this is not expected here – is a quote, a `:` or the indentation wrong?',
};
