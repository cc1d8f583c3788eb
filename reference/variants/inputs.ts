import { alternatives, type Variant } from './variant.ts';

/** What is taken of a send and of an address, where the contract leaves room. */
export const inputVariants: readonly Variant[] = [
  {
    id: 'scalars-become-texts',
    words: 'send.content.scalars-refused and send.content-type.type are inferred: many parsers read 7 as "7"',
    mayWarn: ['send.content.scalars-refused', 'send.content-type.type'],
    options: ({ rules }) => ({
      rules: {
        readText: (field, value) =>
          typeof value === 'number' || typeof value === 'boolean'
            ? String(value)
            : rules.readText(field, value),
      },
    }),
  },
  {
    id: 'blank-content-is-refused',
    words: 'send.blank-content-accepted is inferred: a byte that says nothing may count as none',
    mayWarn: ['send.blank-content-accepted'],
    options: ({ rules }) => ({
      rules: { acceptsNul: (content) => rules.acceptsNul(content) && content.trim() !== '' },
    }),
  },
  ...alternatives(
    {
      id: 'a-workspace-has-aliases',
      words: 'overview.aliases',
      options: ({ rules }) => ({
        rules: {
          acceptsWorkspaceId: (text) => ['me', 'current'].includes(text) || rules.acceptsWorkspaceId(text),
          addressedWorkspace: (text, own) =>
            rules.acceptsWorkspaceId(text) ? rules.addressedWorkspace(text, own) : (own()?.id ?? text),
        },
      }),
    },
    {
      id: 'a-workspace-has-a-slug',
      words: 'overview.aliases',
      options: ({ rules }) => ({
        rules: {
          acceptsWorkspaceId: () => true,
          addressedWorkspace: (text, own) =>
            text === own()?.slug ? (own()?.id ?? text) : rules.addressedWorkspace(text, own),
        },
      }),
    },
  ),
];
