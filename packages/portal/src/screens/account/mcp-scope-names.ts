import type { AnswerOf } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';

export type McpScope = AnswerOf<'listConnectedApps'>['apps'][number]['scopes'][number];

/** What an app may do, in words. */
export const mcpScopeNames: Readonly<Record<McpScope, string>> = {
  'mcp:read': t('Read what you may read'),
  'mcp:act': t('Run actions as you'),
  'mcp:build': t('Change entities, blueprints, pages and actions as you'),
};
