/** What `asked-of-others.ts` asks of standing approvals and notes. */
export const askedOfAssistant: Record<
  string,
  readonly [method: string, path: (known: string) => string, body?: unknown]
> = {
  updateMemory: ['PATCH', (known) => `/v1/memory/${known}`, { content: 'x' }],
  deleteMemory: ['DELETE', (known) => `/v1/memory/${known}`],
  revokeStandingApproval: ['DELETE', (known) => `/v1/ai/standing-approvals/${known}`],
};

/** Operations without a name of something in their path. */
export const namelessOfAssistant = [
  'listStandingApprovals',
  'createStandingApproval',
  'listMemories',
  'createMemory',
  'deleteMemories',
  'setOwnMemory',
  'deleteMemoriesOfUsers',
  'getMemorySettings',
  'listLlmProviders',
  'createLlmProvider',
  'getLlmDefaults',
  'putLlmDefaults',
  'putMemorySettings',
] as const;
