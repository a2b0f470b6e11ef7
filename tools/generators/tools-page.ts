import type { RegisteredTool } from '../../packages/server/src/platform/tools/registry.ts';
import { buildIdleApp } from '../lib/idle-app.ts';
import type { GeneratedFile } from './generated-file.ts';

/** The tools as MCP clients and the assistant see them: their names and descriptions are part of the product. */
export function toolsPage(): readonly GeneratedFile[] {
  const { tools } = buildIdleApp();
  return [{ path: 'docs/reference/tools.md', text: page(tools.tools) }];
}

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
