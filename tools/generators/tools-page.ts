import { type AppPorts, buildApp } from '../../packages/server/src/app.ts';
import { systemClock } from '../../packages/server/src/platform/clock.ts';
import { createDatabase } from '../../packages/server/src/platform/db/database.ts';
import type { Engine } from '../../packages/server/src/platform/db/engine.ts';
import { createPresence } from '../../packages/server/src/platform/db/presence.ts';
import { createOutgoing } from '../../packages/server/src/platform/outgoing/outgoing.ts';
import type { RegisteredTool } from '../../packages/server/src/platform/tools/registry.ts';
import type { GeneratedFile } from './generated-file.ts';

/** The tools as MCP clients and the assistant see them: their names and descriptions are part of the product. */
export function toolsPage(): readonly GeneratedFile[] {
  const { tools } = buildApp(
    {
      masterKey: Buffer.alloc(32).toString('base64'),
      operatorToken: 'not-used',
      model: { provider: 'built-in' },
      publicUrl: () => 'http://localhost',
    },
    {
      database: createDatabase(unusedEngine),
      clock: systemClock,
      log: silentLog,
      outgoing: createOutgoing({ allowsPrivateNetwork: false }),
    },
  );
  return [{ path: 'docs/reference/tools.md', text: page(tools.tools) }];
}

/** Building the application asks the database nothing; were that to change, this would say so. */
const unusedEngine: Engine = {
  kind: 'embedded',
  presence: createPresence({ ask: () => Promise.resolve(undefined), answers: () => 0 }),
  inClass: (_workClass, body) => body(),
  connect: () => Promise.reject(new Error('The list of tools needs no database')),
  connectDirectly: () => Promise.reject(new Error('The list of tools needs no database')),
  listen: () => Promise.reject(new Error('The list of tools needs no database')),
  close: () => Promise.resolve(),
};

const ignore = (): void => undefined;
const silentLog: AppPorts['log'] = {
  ...{ level: 'silent', fatal: ignore, error: ignore, warn: ignore, info: ignore, debug: ignore, trace: ignore },
  silent: ignore,
  child: () => silentLog,
};

function page(tools: readonly RegisteredTool[]): string {
  const sections = tools.map(section);
  return `# Tools

What the assistant and MCP clients (\`POST /v1/mcp\`) may call. A tool acts with the rights of the caller and is offered
only if those allow it. A tool for builders is offered to administrators over MCP and not to the assistant.

${sections.join('\n')}
Generated from the declarations in \`packages/server/src/modules\`.
`;
}

function section({ declaration, inputSchema }: RegisteredTool): string {
  const { name, title, description, effect, audience, aliases = [] } = declaration;
  const facts = [`effect: ${effect}`, `for: ${audience}s`, ...aliases.map((alias) => `also called \`${alias}\``)];
  return `## \`${name}\`

${title} (${facts.join('; ')})

${quoted(description)}

\`\`\`json
${JSON.stringify(inputSchema, null, 2)}
\`\`\`
`;
}

function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}
