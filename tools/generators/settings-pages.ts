import { settings } from '../../packages/server/src/config.ts';
import type { Setting } from '../../packages/server/src/setting.ts';
import type { GeneratedFile } from './generated-file.ts';

/** The settings page and the commented example file, from the table that the server itself reads. */
export function settingsPages(): readonly GeneratedFile[] {
  return [
    { path: 'docs/reference/settings.md', text: page() },
    { path: '.env.example', text: example() },
  ];
}

function page(): string {
  const rows = settings.map(
    ({ name, default: fallback, description, isSecret }) =>
      `| \`${name}\` | ${fallback === '' ? '' : code(fallback)} | ${cell(description)}${isSecret ? ' Secret.' : ''} |`,
  );
  return `# Settings

Portolan is set up by environment variables. All of them are checked at start; a wrong one ends the start with a
sentence that names it. An empty value counts as unset. Each also has a variant with \`_FILE\` at the end of its name
that names a file holding the value, which is how secrets are best handed to a container.

| name | default | what it does |
| --- | --- | --- |
${rows.join('\n')}

Generated from \`packages/server/src/config.ts\`.
`;
}

/** Defaults in brackets are described, not literal. */
function code(text: string): string {
  return text.startsWith('(') ? cell(text) : `\`${cell(text)}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function example(): string {
  return `# Every setting of Portolan; copy to .env and uncomment what you change. See docs/reference/settings.md.
# Generated from packages/server/src/config.ts.

${settings.map(entry).join('\n')}
# Only docker-compose.yml reads this one: the password of its PostgreSQL.
# POSTGRES_PASSWORD=
`;
}

function entry({ name, default: fallback, description }: Setting): string {
  const isLiteral = !fallback.startsWith('(') && !fallback.includes('HOST:PORT');
  const note = isLiteral || fallback === '' ? '' : ` Default: ${fallback.replaceAll(/^\(|\)$/g, '')}.`;
  return `# ${description.replaceAll('`', '')}${note}\n# ${name}=${isLiteral ? fallback : ''}\n`;
}
