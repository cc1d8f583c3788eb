import type { Answer } from '../../../reference/model/answer.ts';
import { contractRules } from '../../../reference/rules/rules.ts';
import { breaking, what, type Mutant, type Overlay } from '../base/mutant.ts';
import {
  objectOf,
  refusal,
  spoilItems,
  spoilRefusals,
  spoilSuccess,
  type JsonObject,
} from '../base/spoil-answer.ts';

/** More digits than this some languages read only when they are told to. */
const usualDigits = 4_300;
const headerName = 'x-service-agent-id';

/** Requests that are made in a way which the contract does not show: in other spellings, by other methods, with other headers. */
export const oddRequestMutants: readonly Mutant[] = breaking({
  'errors.unsupported-parameter-is-400': {
    'names-in-capitals-are-not-seen': what('parameters of the call in another letter case are ignored', {
      acceptsParameter: (_route, name, isKnown) => isKnown || /^(?:after|limit)$/i.test(name),
    }),
    'blank-unsupported-parameters-are-403': what(
      'a blank parameter that the call does not have is forbidden',
      {
        answer: spoilRefusals(
          (answer, { query }) =>
            Object.entries(query).some(([name, value]) => !/^(?:after|limit)$/.test(name) && value === '')
              ? { ...answer, status: 403 }
              : answer,
          ['mentions'],
        ),
      },
    ),
  },
  'errors.invalid-parameter-is-400': {
    'a-wrong-value-given-twice-is-422': what('a parameter that is given twice is unprocessable', {
      answer: spoilRefusals(
        (answer) =>
          JSON.stringify(answer.body).includes('more than once') ? { ...answer, status: 422 } : answer,
        ['mentions'],
      ),
    }),
  },
  'mentions.error-statuses': {
    'long-numbers-are-500': what('a number of more than 4,300 digits draws an error of the server', {
      answer: spoilRefusals(
        (answer, { query }) =>
          Object.values(query).some((value) => value.length > usualDigits) ? refusal(500) : answer,
        ['mentions'],
      ),
    }),
  },
  'mentions.after.exclusive': {
    'cursors-have-32-bits': what('a cursor of the listing is cut to 32 bits', {
      firstSequenceAfter: (after, stream, history) =>
        contractRules.firstSequenceAfter(
          stream === 'mentions' ? BigInt.asUintN(32, after) : after,
          stream,
          history,
        ),
    }),
  },
  'channel-read.after-exclusive': {
    'cursors-of-a-channel-have-32-bits': what('a cursor of a channel is cut to 32 bits', {
      firstSequenceAfter: (after, stream, history) =>
        contractRules.firstSequenceAfter(
          stream === 'mentions' ? after : BigInt.asUintN(32, after),
          stream,
          history,
        ),
    }),
  },
  'mentions.agent-id-header.is-the-caller': {
    'the-agent-id-header-is-echoed': what('the agent id header is that of the request, where it has one', {
      answer: spoilSuccess('mentions', (answer, { headers: { [headerName]: claimed } }) =>
        typeof claimed === 'string'
          ? { ...answer, headers: { ...answer.headers, [headerName]: claimed } }
          : answer,
      ),
    }),
  },
  'author.is-the-agent': {
    'a-header-names-the-author': what(
      'the author of a message is whoever a header of its send names',
      authorsByHeader(headerName, (id) => ({ id })),
    ),
  },
  'author.agent-host.length': {
    'blanks-are-no-host': what('a host is trimmed after its length was looked at', {
      rules: { capturedAgentHost: (host) => host?.trim() ?? null },
    }),
    'the-user-agent-is-the-host': what(
      'the user agent of a client stands as the host of what it sends',
      authorsByHeader('user-agent', (host) => ({ agent_host: host })),
    ),
  },
  'message.content.unaltered': {
    'latin-1-for-whoever-asks-for-it': what(
      'a client that accepts ISO 8859-1 is shown ? for other characters',
      {
        answer: (answer, request) => {
          if (!String(request.headers['accept-charset']).includes('iso-8859-1')) return undefined;
          return spoilItems('read', (item) => ({
            ...item,
            content: String(item['content']).replaceAll(/[^\0-\xff]/gu, '?'),
          }))(answer, request);
        },
      },
    ),
  },
  'send.content-bytes': {
    'a-body-without-a-length-is-not-measured': what(
      'content has no end in a body that comes in chunks',
      () => {
        let isMeasured = true;
        return {
          maxContentBytes: () => (isMeasured ? contractRules.maxContentBytes() : 5_000_000),
          hasWorkspaceAccess: async ({ now }, facts) => {
            const hasLength = facts.header('content-length') !== undefined;
            // The body is judged as soon as it is there, before that of any other request.
            if (facts.route === 'send' && !hasLength) await facts.body();
            isMeasured = facts.route !== 'send' || hasLength;
            return now;
          },
        };
      },
    ),
  },
  'auth.missing-credential': {
    'an-escaped-path-is-403': what('without a credential a path with an escape in it is forbidden', {
      rules: { pathMeant: decodeURIComponent },
      answer: spoilRefusals((answer, { path, headers: { authorization } }) =>
        path.includes('%') && authorization === undefined ? refusal(403) : answer,
      ),
    }),
  },
  'auth.other-methods-need-a-credential': {
    'head-is-always-served': what('HEAD is served whoever asks', {
      answer: (_answer, { method }) => (method === 'HEAD' ? { status: 200, headers: {} } : undefined),
    }),
  },
  'auth.credential-elsewhere-opens-nothing': {
    'a-token-may-stand-in-the-query': {
      acceptsParameter: (_route, name, isKnown) => isKnown || name === 'access_token',
      admits: (problem, _route, { query, tokens }) =>
        problem === 'missing' && tokens().includes(query['access_token'] ?? ''),
    },
    'a-token-may-stand-in-a-cookie': {
      admits: (problem, _route, { header, tokens }) =>
        problem === 'missing' && tokens().some((token) => header('cookie')?.includes(token) === true),
    },
    'an-api-key-has-a-header-of-its-own': {
      admits: (problem, _route, { header, tokens }) => {
        const key = header('x-api-key') ?? '';
        return problem === 'missing' && key.startsWith('key') && tokens().includes(key);
      },
    },
    'a-token-may-be-an-api-key': {
      admits: (problem, _route, { header, tokens }) =>
        problem === 'missing' && tokens().includes(header('x-api-key') ?? ''),
    },
  },
  'auth.malformed-credential': {
    'bytes-beyond-ascii-are-500': what('a credential with a byte beyond ASCII draws an error of the server', {
      answer: spoilRefusals((answer, { headers: { authorization } }) =>
        /[^\0-\x7f]/.test(authorization as string) ? refusal(500) : answer,
      ),
    }),
  },
  'errors.body-is-api-error': {
    'errors-are-text-for-a-browser': what('errors are plain text for whoever accepts text before all else', {
      answer: spoilRefusals((answer, { headers: { accept } }) =>
        String(accept).startsWith('text/') ? asText(answer) : answer,
      ),
    }),
    'errors-are-pages-for-a-browser': what(
      'a browser is shown a page in place of an error, with status 200',
      {
        answer: spoilRefusals((answer, { headers: { accept } }) =>
          String(accept).startsWith('text/html') ? { ...asText(answer), status: 200 } : answer,
        ),
      },
    ),
    'errors-lead-a-browser-elsewhere': what('a browser is sent elsewhere in place of an error', {
      answer: spoilRefusals((answer, { headers: { accept } }) =>
        String(accept).startsWith('text/html')
          ? { ...asText(answer), status: 302, headers: { location: '/login' } }
          : answer,
      ),
    }),
  },
  'errors.other-methods-get-an-api-error': {
    'other-methods-are-refused-in-plain-text': {
      answer: (answer) => (answer.status === 405 ? asText(answer) : undefined),
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

function asText({ status, headers, body }: Answer): Answer {
  const { message } = objectOf(objectOf(body)['error']);
  return {
    status,
    headers: { ...headers, 'content-type': 'text/plain' },
    body: Buffer.from(String(message)),
  };
}

function overviewBy(form: RegExp) {
  return {
    acceptsWorkspaceId: (text: string) => form.test(text) || contractRules.acceptsWorkspaceId(text),
    addressedWorkspace: (text: string) => {
      const digits = text.replace('urn:uuid:', '').replaceAll(/[^0-9a-f]/gi, '');
      return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5').toLowerCase();
    },
  };
}

/** The author of each message shows something else, which a header of its send says. */
function authorsByHeader(name: string, shownFor: (value: string) => JsonObject): () => Overlay {
  return () => {
    const shownOf = new Map<unknown, JsonObject>();
    const changed = (message: JsonObject): JsonObject => ({
      ...message,
      author: { ...objectOf(message['author']), ...shownOf.get(message['content']) },
    });
    return {
      rules: {
        hasWorkspaceAccess: async ({ now }, facts) => {
          const value = facts.route === 'send' ? facts.header(name) : undefined;
          if (now && value !== undefined) shownOf.set((await facts.body())['content'], shownFor(value));
          return now;
        },
      },
      answer: async (answer, request) =>
        (await spoilItems('read', changed)(answer, request)) ??
        (await spoilItems('mentions', (item) => ({ ...item, message: changed(objectOf(item['message'])) }))(
          answer,
          request,
        )),
    };
  };
}
