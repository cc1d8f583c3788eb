import { isRecord } from '../../calls/index.ts';

/** What is looked at of an answer. */
interface ListAnswer {
  readonly json: unknown;
  /** Lower-case names, every occurrence in order. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

/** Names of fields by which lists lead on: true, a cursor, a number or an address. */
const onward = /more|next|cursor|continuation|page_?token/i;
/** Names of fields that say how much there is in all, or which part of it this is. */
const part = /total|count|offset|limit|page/i;
/** Of such fields, those that say nothing where all is listed. */
const whole = /total|count/i;

/**
 * Whether a list of channels, of whose form the contract shows nothing, may go on elsewhere: what stands beside the channels leads on or says that
 * this is a part, or a `Link` header does, and nothing says that there is no more.
 */
export function mayGoOn({ json, headers }: ListAnswer): boolean {
  const fields = [...fieldsBeside(json)];
  if (fields.some(([name, value]) => /has_?(?:more|next)/i.test(name) && value === false)) return false;
  const isWhole = (name: string, value: number | bigint): boolean =>
    whole.test(name) && fields.some(([, list]) => Array.isArray(list) && list.length === Number(value));
  const leadsOn = ([name, value]: readonly [string, unknown]): boolean =>
    onward.test(name) ? Boolean(value) : part.test(name) && isNumber(value) && !isWhole(name, value);
  return headers['link'] !== undefined || fields.some(leadsOn);
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** The fields of an answer at whatever depth, but for those of what it lists: of whatever is in an array, or has an id. */
function* fieldsBeside(json: unknown): Generator<readonly [name: string, value: unknown]> {
  const pending = [json];
  while (pending.length > 0) {
    const node = pending.pop();
    if (!isRecord(node) || (node !== json && 'id' in node)) continue;
    for (const field of Object.entries(node)) {
      yield field;
      pending.push(field[1]);
    }
  }
}
