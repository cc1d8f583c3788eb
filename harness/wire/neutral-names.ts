import { isRecord } from '../../calls/index.ts';
import { providerNames, type Names } from '../config/target.ts';

/**
 * An answer with the server's own provider words replaced by the contract's neutral ones, where the target maps them.
 * Only the `provider` of a `source_session` is touched; without a mapping the value itself comes back.
 */
export function withNeutralNames(value: unknown, names: Names): unknown {
  const neutralOf = new Map<unknown, string>(
    providerNames
      .filter((name) => names.providers[name] !== name)
      .map((name) => [names.providers[name], name]),
  );
  return neutralOf.size === 0 ? value : renamed(value, neutralOf);
}

function renamed(value: unknown, neutralOf: ReadonlyMap<unknown, string>): unknown {
  if (Array.isArray(value)) return value.map((inner) => renamed(inner, neutralOf));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'source_session' && isRecord(inner)
        ? { ...inner, provider: neutralOf.get(inner['provider']) ?? inner['provider'] }
        : renamed(inner, neutralOf),
    ]),
  );
}
