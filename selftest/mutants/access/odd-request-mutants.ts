import type { Answer, AnsweredRequest } from '../../../reference/model/answer.ts';
import type { StreamName } from '../../../reference/model/page-facts.ts';
import type { RequestFacts } from '../../../reference/model/request-facts.ts';
import { contractRules, type Rules } from '../../../reference/rules/rules.ts';
import { also } from '../base/changed-rules.ts';
import { breaking, type Mutant } from '../base/mutant.ts';
import type { Overlay } from '../base/overlay.ts';
import {
  acceptsNoJson,
  type Answering,
  objectOf,
  refusal,
  refusalAs,
  spoilItems,
  spoilMessages,
  spoilRefusals,
  spoilSuccess,
  withoutHeader,
  type JsonObject,
} from '../base/spoil-answer.ts';

/** More digits than this some languages read only when they are told to. */
const usualDigits = 4_300;
const headerName = 'x-service-agent-id';

/** Requests that are made in a way which the contract does not show: in other spellings, by other methods, with other headers. */
export const oddRequestMutants: readonly Mutant[] = breaking({
  'errors.unsupported-parameter-is-400': {
    'names-in-capitals-are-not-seen: parameters of the call in another letter case are ignored': {
      acceptsParameter: (_route, name, isKnown) => isKnown || /^(?:after|limit)$/i.test(name),
    },
    'blank-unsupported-parameters-are-403: a blank parameter that the call does not have is forbidden':
      refusalAs(
        403,
        ({ query }) =>
          Object.entries(query).some(([name, value]) => !/^(?:after|limit)$/.test(name) && value === ''),
        'mentions',
      ),
  },
  'errors.invalid-parameter-is-400': {
    'a-wrong-value-given-twice-is-422: a parameter that is given twice is unprocessable': refusalAs(
      422,
      (_, { body }) => JSON.stringify(body).includes('more than once'),
      'mentions',
    ),
  },
  'mentions.error-statuses': {
    'long-numbers-are-500: a number of more than 4,300 digits draws an error of the server': spoilRefusals(
      (answer, { query }) =>
        Object.values(query).some((value) => value.length > usualDigits) ? refusal(500) : answer,
      ['mentions'],
    ),
    'html-alone-is-406: who accepts no JSON is refused with an ApiError and status 406': toNoReaderOfJson(
      () => refusal(406),
    ),
  },
  'mentions.after.exclusive': {
    'cursors-have-32-bits: a cursor of the listing is cut to 32 bits': cutTo32Bits('mentions'),
  },
  'channel-read.after-exclusive': {
    'cursors-of-a-channel-have-32-bits: a cursor of a channel is cut to 32 bits': cutTo32Bits('channel'),
  },
  'mentions.agent-id-header.is-the-caller': {
    'the-agent-id-header-is-echoed: the agent id header is that of the request, where it has one':
      spoilSuccess('mentions', (answer, { headers: { [headerName]: claimed } }) =>
        typeof claimed === 'string'
          ? { ...answer, headers: { ...answer.headers, [headerName]: claimed } }
          : answer,
      ),
  },
  'author.is-the-agent': {
    'a-header-names-the-author: the author of a message is whoever a header of its send names':
      authorsByHeader(headerName, (id) => ({ id })),
  },
  'author.agent-host.length': {
    'blanks-are-no-host: a host is trimmed after its length was looked at': {
      capturedAgentHost: (host) => host?.trim() ?? null,
    },
    'the-user-agent-is-the-host: the user agent of a client stands as the host of what it sends':
      authorsByHeader('user-agent', (host) => ({ agent_host: host })),
  },
  'message.content.unaltered': {
    'latin-1-for-whoever-asks-for-it: a client that accepts ISO 8859-1 is shown ? for other characters':
      spoilItems('read', (item, { headers }) =>
        String(headers['accept-charset']).includes('iso-8859-1')
          ? { ...item, content: String(item['content']).replaceAll(/[^\0-\xff]/gu, '?') }
          : item,
      ),
    'chunks-are-decoded-one-by-one: a character that lies in two chunks of a body becomes U+FFFD':
      withoutLength({ storedContent: (text) => text.replaceAll(/[^\0-\x7f]/gu, '\ufffd') }),
  },
  'send.content-bytes': {
    'a-body-without-a-length-is-not-measured: content has no end in a body that comes in chunks':
      withoutLength({ maxContentBytes: () => 5_000_000 }),
    'a-body-without-a-length-is-short: content of more than 64 KiB is refused in a body that comes in chunks':
      withoutLength({ maxContentBytes: () => 65_536 }),
  },
  'auth.missing-credential': {
    'a-path-with-a-parameter-needs-no-credential: who looks for a credential knows no path with a parameter in it':
      () => {
        let hasParameter = false;
        return {
          pathMeant: (path) => {
            hasParameter = path.includes(';');
            return path.replaceAll(/;[^/]*/g, '');
          },
          admits: (problem) => problem === 'missing' && hasParameter,
        };
      },
    'what-was-kept-still-holds-for-everybody: whoever asks whether an answer still holds is told so without a credential':
      stillHolding(({ headers }) => headers['authorization'] === undefined),
    'who-comes-from-within-needs-no-credential: a request that says to come from the machine itself needs none':
      admitting(({ header }) => header('x-forwarded-for') === '127.0.0.1'),
    'an-escaped-path-is-403: without a credential a path with an escape in it is forbidden': {
      rules: { pathMeant: decodeURIComponent },
      ...spoilRefusals((answer, { path, headers: { authorization } }) =>
        path.includes('%') && authorization === undefined ? refusal(403) : answer,
      ),
    },
  },
  'auth.no-access-is-403': {
    'what-was-kept-still-holds-without-access: whoever asks whether a channel read still holds is told so, with access or without':
      stillHolding(({ route }, { status }) => route === 'read' && status === 403),
  },
  'mentions.membership-rechecked': {
    'a-kept-feed-still-holds-without-access: whoever asks whether its mentions still hold is told so, a member or not':
      stillHolding(({ route }, { status }) => route === 'mentions' && status === 403),
  },
  'auth.revoked-while-in-use': {
    'what-was-kept-still-holds-after-a-revocation: whoever asks whether a channel read still holds is told so with any token':
      stillHolding(
        ({ route, headers }, { status }) =>
          route === 'read' && status === 401 && headers['authorization'] !== undefined,
      ),
  },
  'auth.www-authenticate': {
    'scripts-are-not-challenged: a 401 to a script in a page comes without a challenge': spoilRefusals(
      (answer, { headers }) =>
        answer.status === 401 && headers['x-requested-with'] !== undefined
          ? withoutHeader('www-authenticate')(answer)
          : answer,
    ),
  },
  'auth.nothing-there-needs-a-credential': {
    'what-is-not-there-is-404: without a credential a channel or workspace is looked for all the same':
      () => {
        const there = new Set<string>();
        return {
          answer: (answer, { path, headers: { authorization } }) => {
            const id = /[0-9a-f-]{36}/.exec(path)?.[0];
            if (id === undefined) return undefined;
            if (answer.status < 300) there.add(id);
            return authorization === undefined && !there.has(id) ? refusal(404) : undefined;
          },
        };
      },
  },
  'auth.wrong-parameters-need-a-credential': {
    'parameters-are-looked-at-first: a wrong parameter is refused before it is asked who asks': {
      answer: ({ status }, { query }) =>
        status === 401 && (query['limit'] === '0' || query['after'] === 'x') ? refusal(400) : undefined,
    },
  },
  'auth.other-methods-need-a-credential': {
    'head-is-always-served: HEAD is served whoever asks': {
      answer: (_answer, { method }) => (method === 'HEAD' ? { status: 200, headers: {} } : undefined),
    },
  },
  'auth.credential-elsewhere-opens-nothing': {
    'a-token-may-stand-in-the-query': {
      acceptsParameter: (_route, name, isKnown) => isKnown || name === 'access_token',
      ...admitting(({ query, tokens }) => tokens().includes(query['access_token'] ?? '')),
    },
    'a-token-may-be-a-key-of-the-query': {
      acceptsParameter: (_route, name, isKnown) => isKnown || name === 'key',
      ...admitting(({ query, tokens }) => tokens().includes(query['key'] ?? '')),
    },
    'a-token-may-stand-in-a-cookie': admitting(({ header, tokens }) =>
      tokens().some((token) => header('cookie')?.includes(token) === true),
    ),
    'a-session-begins-with-an-answer: a cookie that comes with an answer opens calls': {
      rules: admitting(({ header }) => header('cookie')?.includes('sid=1') === true),
      answer: (answer) => ({ ...answer, headers: { ...answer.headers, 'set-cookie': 'sid=1; HttpOnly' } }),
    },
    'an-api-key-has-a-header-of-its-own': admitting(
      ({ header, tokens }) =>
        header('x-api-key')?.startsWith('key') === true && tokens().includes(header('x-api-key') ?? ''),
    ),
    'a-token-may-be-an-api-key': admitting(({ header, tokens }) =>
      tokens().includes(header('x-api-key') ?? ''),
    ),
  },
  'auth.malformed-credential': {
    'bytes-beyond-ascii-are-500: a credential with a byte beyond ASCII draws an error of the server':
      spoilRefusals((answer, { headers: { authorization } }) =>
        /[^\0-\x7f]/.test(authorization as string) ? refusal(500) : answer,
      ),
  },
  'errors.body-is-api-error': {
    'errors-are-text-for-a-browser: errors are plain text for whoever accepts text before all else':
      forABrowser((text) => text, 'text/'),
    'errors-are-pages-for-a-browser: a browser is shown a page in place of an error, with status 200':
      forABrowser((text) => ({ ...text, status: 200 })),
    'errors-lead-a-browser-elsewhere: a browser is sent elsewhere in place of an error': forABrowser(
      (text) => ({ ...text, status: 302, headers: { location: '/login' } }),
    ),
    'html-alone-is-406-without-a-body: who accepts no JSON is refused with status 406 and nothing else':
      toNoReaderOfJson(() => ({ status: 406, headers: { 'content-type': 'text/plain' } })),
  },
  'service.bodies-are-json': {
    'html-alone-is-shown-a-page: who accepts no JSON is shown a page of HTML': toNoReaderOfJson(() => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: Buffer.from('<h1>Messages</h1>'),
    })),
  },
  'errors.other-methods-get-an-api-error': {
    'other-methods-are-refused-in-plain-text': {
      answer: (answer) => (answer.status === 405 ? asText(answer) : undefined),
    },
    'management-is-refused-in-plain-text: another method on the overview is refused by a router of its own': {
      answer: (answer, { path }) =>
        answer.status === 405 && path.includes('/workspaces/') ? asText(answer) : undefined,
    },
    'an-ill-formed-path-is-refused-by-a-router: what refuses a path that cannot be decoded has another form':
      {
        answer: (answer, { path }) =>
          /%(?:zz|ff)/i.test(path)
            ? { ...answer, status: 400, body: { error: 'Bad Request', statusCode: 400 } }
            : undefined,
      },
    'a-preflight-is-refused-in-plain-text': {
      answer: (answer, { method, headers: { origin } }) =>
        method === 'OPTIONS' && origin !== undefined ? asText({ ...answer, status: 400 }) : undefined,
    },
  },
  'overview.exact-spelling': {
    'a-workspace-without-hyphens': overviewBy(/^[0-9a-f]{32}$/i),
    'a-workspace-in-braces': overviewBy(/^\{[0-9a-f-]{36}\}$/i),
    'a-workspace-as-a-urn': overviewBy(/^urn:uuid:[0-9a-f-]{36}$/i),
    'a-workspace-with-a-line-end': overviewBy(/^[0-9a-f-]{36}\s$/i),
  },
});

/** Lets in who has no credential where one is looked for. */
function admitting(hasToken: (facts: RequestFacts) => boolean): Partial<Rules> {
  return { admits: (problem, _route, facts) => problem === 'missing' && hasToken(facts) };
}

function cutTo32Bits(stream: StreamName): Partial<Rules> {
  return {
    firstSequenceAfter: (after, of, history) =>
      contractRules.firstSequenceAfter(of === stream ? BigInt.asUintN(32, after) : after, of, history),
  };
}

/** Answers a browser that would be refused with something else than an error. */
function forABrowser(change: (answer: Answer) => Answer, accepted = 'text/html'): Answering {
  return spoilRefusals((answer, { headers: { accept } }) =>
    String(accept).startsWith(accepted) ? change(asText(answer)) : answer,
  );
}

/** Answers who accepts other things than JSON alone with something else. */
function toNoReaderOfJson(other: () => Answer): Answering {
  return { answer: (_answer, request) => (acceptsNoJson(request) ? other() : undefined) };
}

function asText({ status, headers, body }: Answer): Answer {
  const { message } = objectOf(objectOf(body)['error']);
  return {
    status,
    headers: { ...headers, 'content-type': 'text/plain' },
    body: Buffer.from(String(message)),
  };
}

function overviewBy(form: RegExp): Partial<Rules> {
  return {
    ...also('acceptsWorkspaceId', (text) => form.test(text)),
    addressedWorkspace: (text) => {
      const digits = text.replace('urn:uuid:', '').replaceAll(/[^0-9a-f]/gi, '');
      return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5').toLowerCase();
    },
  };
}

/** What a read was answered with still holds to whoever asks whether it does and would be refused, where it is meant. */
function stillHolding(isMeant: (request: AnsweredRequest, answer: Answer) => boolean): Answering {
  return {
    answer: (answer, request) => {
      const { method, headers } = request;
      if (method !== 'GET' || headers['accept'] === '*/*') return undefined;
      if (answer.status < 300) return { ...answer, headers: { ...answer.headers, etag: '"kept"' } };
      const isKept = headers['if-none-match'] === '"kept"' && [401, 403].includes(answer.status);
      return isKept && isMeant(request, answer) ? { status: 304, headers: { etag: '"kept"' } } : undefined;
    },
  };
}

/** The author of each message shows something else, which a header of its send says. */
function authorsByHeader(name: string, shownFor: (value: string) => JsonObject): () => Overlay {
  return () => {
    const shownOf = new Map<unknown, JsonObject>();
    return {
      rules: {
        hasWorkspaceAccess: async ({ now }, facts) => {
          const value = facts.route === 'send' ? facts.header(name) : undefined;
          if (now && value !== undefined) shownOf.set((await facts.body())['content'], shownFor(value));
          return now;
        },
      },
      ...spoilMessages(({ author, ...message }) => ({
        ...message,
        author: { ...objectOf(author), ...shownOf.get(message['content']) },
      })),
    };
  };
}

/** What else is done with a content whose body comes in chunks. */
function withoutLength(
  changed: Partial<Pick<Rules, 'maxContentBytes' | 'storedContent'>>,
): () => Partial<Rules> {
  return () => {
    let rules: typeof changed = {};
    return {
      maxContentBytes: () => (rules.maxContentBytes ?? contractRules.maxContentBytes)(),
      storedContent: (text) => (rules.storedContent ?? contractRules.storedContent)(text),
      hasWorkspaceAccess: async ({ now }, facts) => {
        const hasLength = facts.header('content-length') !== undefined;
        // The body is judged as soon as it is there, before that of any other request.
        if (facts.route === 'send' && !hasLength) await facts.body();
        rules = facts.route !== 'send' || hasLength ? {} : changed;
        return now;
      },
    };
  };
}
