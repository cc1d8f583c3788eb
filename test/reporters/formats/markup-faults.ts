/** Elements of HTML that have no end. */
const withoutEnd = new Set(['meta', 'link', 'input', 'br', 'img']);
const tag = /<(\/?)([A-Za-z][\w:-]*)((?:\s+[\w:-]+(?:="[^"<]*")?)*)\s*(\/?)>/y;
/** What stands before the root, and what an HTML element has that is no markup. */
const asides = /^<\?xml[^>]*\?>|<!doctype html>|(?<=<(?:script|style)>)[^]*?(?=<\/(?:script|style)>)/gi;

/** What keeps a text from being well-formed XML, or HTML as we write it: the first fault of each kind. */
export function markupFaults(text: string): readonly string[] {
  const rest = text.replaceAll(asides, '');
  const [bare] = /&(?!(?:#\d+|#x[\da-f]+|amp|lt|gt|quot|apos);).{0,20}/i.exec(rest) ?? [];
  return [...(bare === undefined ? [] : [`a bare ${bare}`]), ...nestingFaults(rest)];
}

function nestingFaults(text: string): readonly string[] {
  const open: string[] = [];
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    tag.lastIndex = at;
    const [whole, end, name = '', , empty] = tag.exec(text) ?? [];
    if (whole === undefined) return [`no tag: ${text.slice(at, at + 60)}`];
    if (end === '/') {
      const last = open.pop();
      if (last !== name) return [`${last ?? 'nothing'} ends with </${name}>`];
    } else if (empty !== '/' && !withoutEnd.has(name)) open.push(name);
  }
  return open.length === 0 ? [] : [`${open.join(', ')} without an end`];
}
