import { AppError } from '../../../platform/errors.ts';

/** The two alternatives to the router, in the specification's words. */
export const migrationPaths = {
  pathA: {
    when: 'the caller chooses the agent',
    method: 'POST',
    path: '/v1/agent/{agent_identifier}/invoke',
    query: 'stream=true&use_mcp=true',
    body: { query: 'the question' },
  },
  pathB: {
    when: 'the question is a general one',
    method: 'POST',
    path: '/v1/ai/invoke',
    body: { userPrompt: 'the question' },
    optional: ['systemPrompt', 'context', 'tools', 'executionMode', 'labels'],
  },
} as const;

/** Start of the router's deprecation: the day the new assistant came (specification, Versioning). */
const deprecatedSince = Date.UTC(2025, 9, 1) / 1000;

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the successor, on every answer of the router. */
export function deprecationHeaders(sunset: Date, agent: string | undefined): Record<string, string> {
  const successor = agent === undefined ? '/v1/ai/invoke' : `/v1/agent/${encodeURIComponent(agent)}/invoke`;
  return {
    deprecation: `@${deprecatedSince}`,
    sunset: sunset.toUTCString(),
    link: `<${successor}>; rel="successor-version"`,
  };
}

export function endpointRemoved(): AppError {
  return new AppError(
    'endpoint_removed',
    'POST /agent/invoke was removed with the cutover to the new assistant. ' +
      'Path A, you choose the agent: POST /v1/agent/{agent_identifier}/invoke with {"query": …}. ' +
      'Path B, a general question: POST /v1/ai/invoke with {"userPrompt": …}.',
    { details: { ...migrationPaths, successor: '/v1/agent/{agent_identifier}/invoke' } },
  );
}
