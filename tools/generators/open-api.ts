import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '@portolan/contract/openapi';
import { operations } from '@portolan/contract/operations';
import type { GeneratedFile } from './generated-file.ts';

/** The OpenAPI document of every operation of the contract. */
export function openApi(): readonly GeneratedFile[] {
  const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const document = openApiDocument(operations, version);
  return [{ path: 'docs/reference/openapi.json', text: `${JSON.stringify(document, null, 2)}\n` }];
}
