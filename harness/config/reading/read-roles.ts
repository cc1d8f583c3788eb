import { followReference } from '../reference.ts';
import { type RoleName, roleNames, tokenVariable } from '../roles.ts';
import type { Credential } from '../target.ts';
import { roleField } from './flag-layers.ts';
import { fault, type Given, pick, printPath, type Reading, warnOfLiteral } from './layer.ts';

type Roles = Partial<Record<RoleName, Credential>>;

/** Roles that stand for different agents: with one token twice, a check of two agents would watch one. */
const separateAgents: readonly RoleName[] = ['author', 'reader', 'peer', 'stranger', 'outsider'];

/** Roles whose credential is to be refused. */
const ended: readonly RoleName[] = ['expired', 'revoked'];

/** The credential of each role that has one, references followed. */
export function readRoles(reading: Reading): Roles {
  const roles: Roles = {};
  for (const role of roleNames) {
    const given = pick(reading.layers, ['roles', roleField(role)]);
    if (given === undefined) continue;
    const credential = readCredential(reading, given, role);
    if (credential === undefined) continue;
    const twins = roleNames.filter((other) => roles[other]?.token === credential.token);
    const twin = twins.find((other) => separateAgents.includes(other) && separateAgents.includes(role));
    const opposite = twins.find((other) => ended.includes(other) !== ended.includes(role));
    const nameOf = (other: RoleName): string => printPath(['roles', roleField(other)]);
    if (twin !== undefined)
      fault(reading, given, `holds the same token as ${nameOf(twin)} – each of them is an agent of its own`);
    if (opposite !== undefined)
      fault(reading, given, `holds the same token as ${nameOf(opposite)} – one of the two is to be refused`);
    roles[role] = credential;
  }
  return roles;
}

function readCredential(reading: Reading, given: Given, role: RoleName): Credential | undefined {
  const { value, path, layer } = given;
  // An empty text and what is no text were found by the shape check.
  if (typeof value !== 'string' || value === '') return undefined;
  const followed = layer.hasReferences
    ? followReference(value, reading.env, layer.folder)
    : { text: value, reference: undefined, file: undefined };
  if ('fault' in followed) {
    fault(reading, given, followed.fault);
    return undefined;
  }
  const { text: token, reference, file } = followed;
  if (!/^[\x21-\x7e]+$/.test(token)) {
    fault(reading, given, describeBadToken(token));
    return undefined;
  }
  const source = reference ?? layer.sourceOf(path);
  if (source === 'flag') {
    warnOfLiteral(reading, given, `\`env:NAME\`, \`file:PATH\` or the variable ${tokenVariable(role)}`);
  }
  return { token, source, ...(file === undefined ? {} : { file }) };
}

function describeBadToken(token: string): string {
  if (/^bearer\s/i.test(token)) return 'starts with `Bearer` – give the token alone';
  return 'holds whitespace, a control character or a character outside ASCII: no header can carry it';
}
