/** A text with places, each a name in braces, that are filled in when it is known what is there. */
export type Template = string;

/** The template with its places filled in. What is in braces and has no value stays as it is. */
export function filledIn(template: Template, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{([a-z-]+)\}/g, (place, name: string) => values[name] ?? place);
}
