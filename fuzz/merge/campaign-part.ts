import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { notAFile, readTextFile } from '../../harness/config/bounded-file.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import type {
  CampaignTotals,
  FooterEvent,
  HeaderEvent,
  ResultEvent,
} from '../../harness/results/generated/events.ts';
import { InvalidStream, readStream } from '../../harness/results/stream.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';

/** Name of the stream in the folder of a campaign, and of the folder of its failures there. */
export const streamFile = 'campaign.ndjson';
export const failureFolder = 'failures';

/** A campaign keeps at most 200 findings of a few kilobytes each. */
const mostBytes = 64 * 1024 * 1024;

/** A campaign that was kept in a folder. */
export interface Part {
  readonly folder: string;
  readonly header: HeaderEvent;
  readonly events: readonly ResultEvent[];
  /** `undefined` where it was stopped half-way. */
  readonly footer: (FooterEvent & { readonly campaign: CampaignTotals }) | undefined;
}

/** One that was stopped before its stream had begun. */
export interface Unbegun {
  readonly folder: string;
  readonly header: undefined;
}

/**
 * Reads a campaign from its folder, however far it came.
 * @throws InvalidTarget when the folder holds none
 */
export async function readPart(folder: string): Promise<Part | Unbegun> {
  const path = join(folder, streamFile);
  if (!existsSync(path))
    throw new InvalidTarget(`${folder} is not a campaign folder: it has no ${streamFile}`);
  const text = textOf(path);
  if (text.trim() === '') return { folder, header: undefined };
  try {
    const { header, events, footer } = await readStream(text.split('\n'));
    const { campaign } = footer ?? {};
    if (footer !== undefined && campaign !== undefined)
      return { folder, header, events, footer: { ...footer, campaign } };
    if (header.campaign !== undefined) return { folder, header, events, footer: undefined };
  } catch (error) {
    if (error instanceof InvalidStream) throw new InvalidTarget(`${path}: ${error.message}`);
    throw error;
  }
  throw new InvalidTarget(`${path} is not that of a campaign`);
}

function textOf(path: string): string {
  const fault = notAFile(path);
  const read = fault === undefined ? readTextFile(path, mostBytes) : { fault };
  if ('fault' in read) throw new InvalidTarget(`${path} ${read.fault}`);
  return read.text;
}

/** Why a campaign is not whole, or proves nothing; `undefined` where it does. */
export function whyNotWhole(part: Part | Unbegun): string | undefined {
  if (part.header === undefined || part.footer === undefined)
    return 'it was cut off, and its stream has no footer; only what it had found is counted';
  const { reason, exitCode, campaign } = part.footer;
  if (campaign.end === 'complete' && exitCode !== exitCodes.inconclusive) return reason;
  return reason ?? 'it could conclude nothing';
}

/** What a campaign came to: of one that was cut off nobody knows it. */
export function totalsOf({ footer }: Part): CampaignTotals {
  return footer?.campaign ?? unknownTotals;
}

const unknownTotals: CampaignTotals = {
  end: 'interrupted',
  cases: 0,
  judged: 0,
  inconclusive: 0,
  unanswered: 0,
  kept: { accepted: 0, refused: 0 },
  readBack: { compared: 0, absent: 0, inconclusive: 0 },
  answers: {},
  byFamily: {},
  leftOut: {},
  fixed: [],
  seen: {},
};
