import { sources } from './sources.ts';
import type { DemoEntity, JsonObject } from './types.ts';

export type ServiceDraft = {
  /** Null leaves the title out, so the identifier is shown. */
  title: string | null;
  /** Empty where nobody owns the service: the question "which services have no owner?" has an answer. */
  team: string[];
  domain: string;
  dependsOn: string[];
  language: 'Go' | 'Java' | 'Kotlin' | 'Python' | 'Ruby' | 'Rust' | 'TypeScript';
  lifecycle: 'planned' | 'beta' | 'production' | 'deprecated';
  summary: string;
  repo?: string;
  /** Whatever else is known: absent keys stay empty in the catalog. */
  more?: JsonObject;
};

export function service(identifier: string, draft: ServiceDraft): DemoEntity {
  const { title, team, domain, dependsOn, language, lifecycle, summary, repo = identifier, more = {} } = draft;
  return {
    blueprint: 'service',
    identifier,
    ...(title === null ? {} : { title }),
    team,
    properties: {
      summary,
      language,
      lifecycle,
      repo: `https://github.com/halyard-freight/${repo}`,
      isPublic: false,
      ...more,
    },
    relations: { domain, dependsOn },
    datasource: sources.github,
  };
}

export function runbook(page: string): string {
  return `https://handbook.halyardfreight.example/runbooks/${page}`;
}

export function grafana(board: string): string {
  return `https://grafana.halyardfreight.example/d/${board}?kiosk`;
}

export function openApi(name: string): string {
  return `https://apis.halyardfreight.example/${name}/openapi.json`;
}

export function channel(name: string): JsonObject {
  return { url: `https://chat.halyardfreight.example/channels/${name}`, displayText: `#${name}` };
}
