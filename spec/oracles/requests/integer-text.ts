/** Whether any reading comes to an integer: in other digits, without what is around it, rounded, grouped, to any base. */
export function mayBeInteger(text: string): boolean {
  const plain = text.normalize('NFKC').replaceAll(/(?!\d)\p{Nd}/gu, '0');
  const core = plain.replaceAll(/[\s\p{C}"'`[\](){}+]/gu, '');
  if (core === '' || core === '-') return true;
  if (/^-?0[xob][0-9a-f]*$/i.test(core) || /^-?\d+n$/.test(core)) return true;
  if (/^-?\d{1,3}(?:[,_. ]\d{3})+$/.test(core) || /^-?\d+(?:_\d+)*$/.test(core)) return true;
  return isWhole(text) || /^-?\d+,0*$/.test(core) || /^-?inf(?:inity)?$/i.test(core);
}

/** Also what is whole by the rounding of floating point. */
function isWhole(text: string): boolean {
  const number = Number(text);
  return Number.isInteger(number) || Math.abs(number) === Infinity;
}
