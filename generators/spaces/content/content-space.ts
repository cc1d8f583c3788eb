import * as fc from 'fast-check';
import { type ClauseId, maxContentBytes } from '../../../spec/index.ts';
import { inputSpace } from '../../space/input-space.ts';
import { accept, type Label, reject } from '../../space/labelled.ts';
import { contentUnit, loneSurrogateUnit } from '../../space/units.ts';
import { rankOfText, simplerTexts } from '../../texts/simpler-text.ts';
import { countsOf, normalText, resized, type Run, type Text } from '../../texts/text.ts';
import { contentBoundaries } from './content-boundaries.ts';

/** Contents of a send: every text of 1 to 500,000 bytes, and what breaks one of the rules about it. */
export const contentSpace = inputSpace<Text>({
  name: 'content',
  boundaries: contentBoundaries,
  values: anyText(),
  labelOf: labelOfContent,
  simpler: simplerTexts,
  rank: rankOfText,
});

/** Counted on the runs, by the words of the contract; `undefined` where a text breaks two rules. */
function labelOfContent(text: Text): Label | undefined {
  const { sizeBytes, loneSurrogates, nuls } = countsOf(text);
  const labels: Label[] = [];
  if (sizeBytes === 0) labels.push(refusedContent('no-byte', 'send.content-not-empty'));
  if (sizeBytes > maxContentBytes) labels.push(refusedContent('over-the-limit', 'send.content-bytes'));
  if (loneSurrogates > 0) labels.push(refusedContent('lone-surrogate', 'send.lone-surrogates-refused'));
  if (nuls > 0) labels.push(refusedContent('nul', 'send.nul-refused'));
  return labels.length > 1 ? undefined : (labels[0] ?? accept('content/well-formed'));
}

function refusedContent(slug: string, clause: ClauseId): Label {
  return reject(`content/${slug}`, clause, 'send-request#/properties/content/format');
}

function anyText(): fc.Arbitrary<Text> {
  const short = fc
    .array(runOfUnit(contentUnit), { minLength: 1, maxLength: 12, size: 'max' })
    .map(normalText);
  const long = sized(1, maxContentBytes);
  const over = sized(maxContentBytes + 1, 2 * maxContentBytes);
  const forbidden = fc.oneof(runOfUnit(loneSurrogateUnit), runOfUnit(fc.constant('\0')));
  return fc.oneof(
    { arbitrary: short, weight: 77 },
    { arbitrary: fc.tuple(short, forbidden, fc.nat()).map(inserted), weight: 20 },
    { arbitrary: long, weight: 1 },
    { arbitrary: fc.tuple(sized(1, maxContentBytes - 100), forbidden, fc.nat()).map(inserted), weight: 1 },
    { arbitrary: over, weight: 1 },
  );
}

function runOfUnit(unit: fc.Arbitrary<string>): fc.Arbitrary<Run> {
  const count = fc.oneof(
    { arbitrary: fc.constant(1), weight: 3 },
    { arbitrary: fc.integer({ min: 1, max: 20 }), weight: 1 },
  );
  return fc.record({ unit, count }, { noNullPrototype: true });
}

/** Texts whose sizes are spread evenly from `min` to `max` bytes, in one to four kinds of characters. */
function sized(min: number, max: number): fc.Arbitrary<Text> {
  const parts = fc.array(
    fc.record({ unit: contentUnit, share: fc.nat({ max: 1000 }) }, { noNullPrototype: true }),
    {
      minLength: 1,
      maxLength: 4,
    },
  );
  return fc.tuple(fc.integer({ min, max }), parts).map(([sizeBytes, runs]) => {
    // A character is of one byte or more, so that the last run fills what the others leave.
    const counted = runs.map(({ unit, share }, index) => ({
      unit,
      count: index === runs.length - 1 ? sizeBytes : Math.floor((sizeBytes * share) / 4000),
    }));
    return resized(counted, sizeBytes);
  });
}

/** The text with a run put in, or inside one of its runs. */
function inserted([text, run, at]: readonly [Text, Run, number]): Text {
  const index = at % text.length;
  const { unit, count } = text[index] ?? run;
  const before = at % (count + 1);
  return normalText([
    ...text.slice(0, index),
    { unit, count: before },
    run,
    { unit, count: count - before },
    ...text.slice(index + 1),
  ]);
}
