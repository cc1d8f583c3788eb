import { pathTemplates } from '../../spec/calls/paths.ts';
import type { WithoutName } from './optional-parts.ts';
import type { RoleName } from './roles.ts';

/** Where a secret came from. */
export interface SecretSource {
  /** `env:NAME`, `file:PATH`, `flag`, `target file`. */
  readonly source: string;
  /** Absolute path of the file that holds it, for a `file:PATH`. */
  readonly file?: string;
}

/** A bearer credential; the token is never printed. */
export interface Credential extends SecretSource {
  readonly token: string;
}

/** What the server calls the parts that the contract names with neutral words. */
export interface Names {
  /** Header that carries the id of the requesting agent; lower case. */
  readonly agentIdHeader: string;
  /** The server's own word for each provider of a source session, keyed by the contract's neutral word. */
  readonly providers: Readonly<Record<ProviderName, string>>;
}

export const providerNames = ['provider_a', 'provider_b', 'provider_c', 'provider_d'] as const;
type ProviderName = (typeof providerNames)[number];

/** Names on this server of what the contract mentions but does not spell out. Every field has a default. */
export interface Bindings {
  /** Request field of a send that carries mention targets `{kind, id}`. */
  readonly mentions: string;
  /** Request field of a send that carries attached file ids. */
  readonly attachments: string;
  /** Request field of a send that carries the source session object. */
  readonly sourceSession: string;
  /** Request field of a send that carries the agent host. */
  readonly agentHost: string;
  /** Field of a channel read's answer that holds the messages; `undefined` means: found by its shape. */
  readonly items: string | undefined;
  /** Path of the POST by which an agent reports what it retrieved; `{channel_id}` stands for the channel. */
  readonly reportReceipt: string;
  /** Field of that POST's body that holds the list of message ids. */
  readonly reportReceiptField: string;
  /** Path at which the metadata of a file is read; `{file_id}` stands for the file. */
  readonly file: string;
  /** Path at which the bytes of a file are read; `{file_id}` stands for the file. */
  readonly fileContent: string;
  /** Path of the server's health; `undefined` means: guessed, and then nothing is held against what is found. */
  readonly health: string | undefined;
  /** Path at which the server tells its capabilities; `undefined` as above. */
  readonly capabilities: string | undefined;
}

/** What does for the suite what no client can: a command or a URL of the operator, or a function of a server in this process. */
export type Hook = CommandHook | UrlHook | FunctionHook;

/** Program and arguments, run without a shell; docs/hooks.md holds the protocol. */
export interface CommandHook {
  readonly command: readonly string[];
  /** Longest that one call may take, in ms. */
  readonly timeoutMs: number;
  /** Folder that it runs in, that of the target file; `undefined` means the working directory. */
  readonly cwd?: string;
  /** True when it is started once for a run and speaks JSON lines; otherwise it is started for each call. */
  readonly stays?: boolean;
}

/** A server of the operator's, mostly another than the one that is judged: the input is posted there, the answer is the output. */
export interface UrlHook {
  /** https, or http on loopback; without a user name or password. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Those of `headers` whose values are never shown. */
  readonly secretHeaders: readonly string[];
  /** Longest that one call may take, in ms. */
  readonly timeoutMs: number;
}

/** Takes the input and resolves to the output that a command would print; a rejection is a failed call. */
export interface FunctionHook {
  readonly call: (input: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** What each hook does, in words that go on after “a command or URL that”. */
export const hookMeanings = {
  provision: 'makes a fresh workspace and prints a target for it',
  revoke: 'revokes a credential',
  expire: 'makes a credential expire',
  rename: 'renames an agent, human or machine',
  deactivate: "takes an agent's access, a machine or a membership away, and gives it back",
  file: 'uploads or deletes a workspace file',
  restart: 'restarts the server and keeps its data',
  limit: 'sets how many requests a second a credential may make',
} as const;

export type HookName = keyof typeof hookMeanings;

export const hookNames = Object.keys(hookMeanings) as readonly HookName[];

/** What a run may cost the server. */
export interface Limits {
  /** Requests a second at most; `undefined` means no ceiling. */
  readonly ratePerSecond: number | undefined;
  /** Bytes of message content a run may write; decides whether large contents may be sent. */
  readonly maxBytes: number;
  /** No request that could write leaves the client. */
  readonly isReadOnly: boolean;
}

/** How the connection is made. */
export interface Connection {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Those of `headers` whose values are never shown; `undefined` means none. */
  readonly secretHeaders?: readonly string[];
  /** Where the values of those came from. */
  readonly headerSources?: Readonly<Record<string, SecretSource>>;
  /** PEM texts. */
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** The server is part of this program: no proxy lies between. */
  readonly isDirect?: boolean;
  /** Absolute paths of the files that hold those. */
  readonly files?: Readonly<Partial<Record<'ca' | 'cert' | 'key', string>>>;
}

/** A server to judge and what the suite may use there; every field is resolved, no reference is left to follow. */
export interface Target {
  /** Origin and path prefix, without a trailing slash. */
  readonly baseUrl: string;
  readonly roles: Readonly<Partial<Record<RoleName, Credential>>>;
  readonly channelId: string | undefined;
  readonly secondChannelId: string | undefined;
  readonly workspaceId: string | undefined;
  /** Ids of ready files of the workspace, in lower case; mostly none. */
  readonly files: readonly string[];
  /** Parts that this server does not have; absent: nothing is said of them. */
  readonly without?: readonly WithoutName[];
  readonly names: Names;
  readonly bindings: Bindings;
  readonly hooks: Readonly<Partial<Record<HookName, Hook>>>;
  /** Settle time in ms; `undefined` means: the larger of 400 ms and ten measured round trips. */
  readonly settleMs: number | undefined;
  /**
   * Longest a whole run may take by the wall clock, in ms; `undefined` means five minutes in which no request waits for its
   * turn under a limit, and an hour in all.
   */
  readonly budgetMs: number | undefined;
  readonly limits: Limits;
  readonly connection: Connection;
}

export const defaultNames: Names = Object.freeze({
  agentIdHeader: 'x-service-agent-id',
  providers: Object.freeze({
    provider_a: 'provider_a',
    provider_b: 'provider_b',
    provider_c: 'provider_c',
    provider_d: 'provider_d',
  }),
});

export const defaultBindings: Bindings = Object.freeze({
  mentions: 'mentions',
  attachments: 'attachments',
  sourceSession: 'source_session',
  agentHost: 'agent_host',
  items: undefined,
  reportReceipt: pathTemplates['receipts-list'],
  reportReceiptField: 'message_ids',
  file: '/v0/files/{file_id}',
  fileContent: '/v0/files/{file_id}/content',
  health: undefined,
  capabilities: undefined,
});

/** Settle time in ms: how long an accepted write may take to become visible; that of the target, or by its round trip. */
export function settleMsOf({ settleMs }: Pick<Target, 'settleMs'>, roundTripMs: number): number {
  return settleMs ?? Math.max(400, 10 * roundTripMs);
}

/** However short the settle time, a busy machine of ours may need this long to see what is there, in ms. */
const leastPatienceMs = 2_000;

/** How long what was accepted is waited for before it counts as missing, in ms: the contract does not say when it has to be there. */
export function patienceMsOf(settleMs: number): number {
  return Math.max(5 * settleMs, leastPatienceMs);
}

/** What a field of a send and a provider are called at a server, each by its name in the contract. */
export function wordsOf({ bindings, names }: Pick<Target, 'bindings' | 'names'>): {
  readonly fieldName: (name: string) => string;
  readonly providerName: (name: string) => string;
} {
  const fields: Readonly<Record<string, string>> = {
    source_session: bindings.sourceSession,
    agent_host: bindings.agentHost,
    mentions: bindings.mentions,
    attachments: bindings.attachments,
  };
  const providers: Readonly<Record<string, string>> = names.providers;
  return { fieldName: (name) => fields[name] ?? name, providerName: (name) => providers[name] ?? name };
}
