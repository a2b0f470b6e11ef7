/** Escapes what Slack reads as markup. */
export function slackText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** A message of one section, which Slack takes up to 3,000 characters. */
export function slackMessage(text: string): object {
  return { text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text: text.slice(0, 3_000) } }] };
}
