import type { Actor } from '../../../platform/actor.ts';
import { readMessages } from './read-conversation.ts';
import type { SeeDeps } from './see-turns.ts';

/** One path of a conversation as the caller may read it, for people or for programs. @throws AppError `not_found` */
export async function exportConversation(
  deps: SeeDeps,
  actor: Actor,
  id: string,
  { format, leaf }: { readonly format: 'markdown' | 'json'; readonly leaf?: string | undefined },
) {
  const { conversation, messages } = await readMessages(deps, actor, id, { leaf });
  if (format === 'json') return { format, content: JSON.stringify({ conversation, messages }, null, 2) };
  const lines = [`# ${oneLine(conversation.title)}`, ''];
  for (const { role, content, askedAt, toolCalls = [], hiddenRecords } of messages) {
    const text = typeof content === 'string' ? content : content.map((each) => each.text).join('');
    if (role === 'user') lines.push(`## ${oneLine(text)}`, '', `${askedAt}`, '');
    if (role === 'assistant') {
      for (const { name } of toolCalls) lines.push(`- called \`${name.replaceAll('`', "'")}\``);
      if (toolCalls.length > 0) lines.push('');
      if (hiddenRecords) lines.push(`_${hiddenText(hiddenRecords)}_`, '');
      else if (text !== '') lines.push(text, '');
    }
  }
  return { format, content: `${lines.join('\n').trimEnd()}\n` };
}

function hiddenText(count: number): string {
  return `This answer is based on ${count} record${count === 1 ? '' : 's'} you may not read.`;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}
