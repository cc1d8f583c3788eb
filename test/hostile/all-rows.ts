import { encodingRows, jsonRows } from './answers/encoding.ts';
import { framingRows } from './answers/framing.ts';
import { headerRows } from './answers/headers.ts';
import { longMemoryRows, memoryRows } from './answers/memory.ts';
import { sizeRows } from './answers/size.ts';
import { tlsRows } from './answers/tls.ts';
import { fateRows } from './behaviour/fates.ts';
import {
  busyRows,
  interruptRows,
  limitRows,
  meanwhileRows,
  otherLimitRows,
  silentRows,
  undecidedRows,
} from './behaviour/limits.ts';
import type { Row } from './frame/row.ts';
import { failureFileRows } from './input/failure-files.ts';
import { outputRows, pipeInputRows } from './input/outputs.ts';
import { otherPipeRows, pipeRows } from './input/pipes.ts';
import { proxyRows } from './input/proxies.ts';
import { targetFileRows } from './input/target-files.ts';
import { echoRows, longEchoRows } from './leaks/echoes.ts';
import { terminalRows } from './terminal/obeyed.ts';

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
  'commands that take long': meanwhileRows,
  'commands that are interrupted': interruptRows,
};

/** What a command is given. */
export const input: Families = {
  'outputs that cannot be written': outputRows,
  'outputs that are not read': pipeRows,
  'inputs that never come': pipeInputRows,
  'proxies of the environment': proxyRows,
  'hostile target files': targetFileRows,
  'files of strangers': failureFileRows,
};

/** What must not come out of a command again. */
export const outputs: Families = {
  'secrets that come back': echoRows,
  'texts that a terminal would obey': terminalRows,
};

/** What `npm test` leaves to the night. */
export const nightly: Families = {
  'answers that take memory in every command': longMemoryRows,
  'secrets that come back to long commands': longEchoRows,
  'outputs of other commands that are not read': otherPipeRows,
  'commands at other servers that keep them waiting': otherLimitRows,
};
