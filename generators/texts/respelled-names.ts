/** Spellings of the name of a field that some readers of JSON take for it: with a capital, and in camel case. */
export function respelledNames(name: string): readonly string[] {
  const inCamelCase = name.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
  const withCapital = name.charAt(0).toUpperCase() + name.slice(1);
  return [...new Set([withCapital, inCamelCase])].filter((each) => each !== name);
}
