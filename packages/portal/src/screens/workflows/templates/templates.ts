import { t } from '../../../kit/translate.ts';
import type { Definition } from '../document/definition.ts';
import { expiringTemplates } from './expiring-templates.ts';
import { incidentTemplates } from './incident-templates.ts';
import { serviceTemplates } from './service-templates.ts';
import { form, node, type Template } from './template.ts';

/** The workflows that people build first, each a beginning. */
export const templates: readonly Template[] = [...serviceTemplates, ...incidentTemplates, ...expiringTemplates];

/** An empty workflow: a form, and nothing yet that follows. */
export const blank: Definition = {
  identifier: '',
  title: '',
  nodes: [node('form', t('Form'), form({}, []))],
  connections: [],
};

export function findTemplate(key: string | undefined): Definition | undefined {
  return templates.find((each) => each.key === key)?.definition;
}
