/** How commands stand in each kind of report. */
export const commandReaders: Readonly<Record<string, (text: string) => readonly string[]>> = {
  terminal: (text) => all(text, /^ {4}\$ (.*)$/gm),
  campaign: (text) => all(text, /^ {2}(?:send again: )?(\S.* replay .*)$/gm),
  junit: (text) => inLines(withoutReferences(text.replaceAll(/<\/?\w[^>]*>/g, ''))),
  markdown: inLines,
  sarif: inStrings,
  ctrf: inStrings,
  github: (text) => inLines(text.replaceAll('%0A', '\n').replaceAll('%25', '%')),
  html: (text) => all(text, /<div class="command">\s*<code>([^]*?)<\/code>/g).map(withoutReferences),
};

/** The commands of one finding as most formats have them: behind what they do, or on a line of their own. */
function inLines(text: string): readonly string[] {
  return [
    ...all(text, /^(?:run again|send again): (.*)$/gm),
    ...all(text, /^exchange \d+: .*\n((?:curl|printf) .*)$/gm),
  ];
}

function inStrings(text: string): readonly string[] {
  return [...strings(JSON.parse(text))].flatMap(inLines);
}

function* strings(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* strings(inner);
}

const references: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', apos: "'", quot: '"' };

function withoutReferences(text: string): string {
  return text.replaceAll(
    /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      return references[name ?? ''] ?? whole;
    },
  );
}

function all(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, command = '']) => command);
}
