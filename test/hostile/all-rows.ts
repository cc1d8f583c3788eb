import { encodingRows, jsonRows, otherEncodingRows, otherJsonRows } from './answers/encoding.ts';
import { framingRows, otherFramingRows } from './answers/framing.ts';
import { headerRows, otherHeaderRows } from './answers/headers.ts';
import { longMemoryRows, memoryRows } from './answers/memory.ts';
import { otherSizeRows, sizeRows } from './answers/size.ts';
import { otherTlsRows, tlsRows } from './answers/tls.ts';
import { fateRows, otherFateRows } from './behaviour/fates.ts';
import {
  busyRows,
  interruptRows,
  limitRows,
  otherLimitRows,
  silentRows,
  undecidedRows,
} from './behaviour/limits.ts';
import type { Row } from './frame/row.ts';
import { outputRows, pipeInputRows } from './input/outputs.ts';
import { otherPipeRows, pipeRows } from './input/pipes.ts';
import { proxyRows } from './input/proxies.ts';
import { echoRows, longEchoRows } from './leaks/echoes.ts';
import { otherTerminalRows, terminalRows } from './terminal/obeyed.ts';

/** Rows by their family; a new table is added here. */
type Families = Readonly<Record<string, readonly Row[]>>;

/** What a server answers. */
export const answers: Families = {
  'answers of a hostile size': sizeRows,
  'answers of a hostile framing': framingRows,
  'answers of a hostile encoding': encodingRows,
  'answers of hostile JSON': jsonRows,
  'answers with hostile headers': headerRows,
  'hostile TLS': tlsRows,
  'answers that take memory': memoryRows,
};

/** What a server does. */
export const behaviour: Families = {
  'what becomes of a server': fateRows,
  'commands with a time limit': limitRows,
  'replays at silent servers': silentRows,
  'commands that cannot decide': undecidedRows,
  'commands that are busy': busyRows,
  'commands that are interrupted': interruptRows,
};

/** What a command is given. */
export const input: Families = {
  'outputs that cannot be written': outputRows,
  'outputs that are not read': pipeRows,
  'inputs that never come': pipeInputRows,
  'proxies of the environment': proxyRows,
};

/** What must not come out of a command again. */
export const outputs: Families = {
  'secrets that come back': echoRows,
  'texts that a terminal would obey': terminalRows,
};

/** What `npm test` leaves to the night. */
export const nightly: Families = {
  'other answers of a hostile size': otherSizeRows,
  'other answers of a hostile framing': otherFramingRows,
  'other answers of a hostile encoding': otherEncodingRows,
  'other answers of hostile JSON': otherJsonRows,
  'other answers with hostile headers': otherHeaderRows,
  'other hostile TLS': otherTlsRows,
  'what else becomes of a server': otherFateRows,
  'answers that take memory in every command': longMemoryRows,
  'other texts that a terminal would obey': otherTerminalRows,
  'secrets that come back to long commands': longEchoRows,
  'outputs of other commands that are not read': otherPipeRows,
  'commands at other servers that keep them waiting': otherLimitRows,
};
