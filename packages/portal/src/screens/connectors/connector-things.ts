import { linkOptions } from '@tanstack/react-router';
import type { AnswerOf } from '../../api/api.ts';

export type Server = AnswerOf<'listMcpServers'>['servers'][number];
export type ServerTool = AnswerOf<'listMcpServerTools'>['tools'][number];

export const serverReads = ['listMcpServers', 'getMcpServer', 'listMcpServerTools', 'listAiTools'] as const;

export function serverAddress(identifier: string) {
  return linkOptions({ to: '/builder/connectors/$server', params: { server: identifier } });
}

/** Whether someone has to review the definition before the tool is offered. */
export function waitsForReview({ state }: ServerTool): boolean {
  return state === 'new' || state === 'changed';
}

/** The parts of a definition that a reviewer compares: the texts and the input schema. */
export function reviewed(definition: ServerTool['definition'] | undefined): Readonly<Record<string, unknown>> {
  if (!definition) return {};
  const { title, description, inputSchema } = definition;
  return { ...(title === undefined ? {} : { title }), description, inputSchema };
}

/** Parses headers, one per line. @throws Error that names the invalid line */
export function parseHeaders(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return undefined;
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      const name = line.slice(0, colon).trim();
      const value = line.slice(colon + 1).trim();
      if (colon < 1 || name === '' || value === '') throw new Error(`"${line.split(':')[0]}" is not "Name: value"`);
      return [name, value];
    }),
  );
}
