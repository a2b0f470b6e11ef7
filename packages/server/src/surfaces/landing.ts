import { html } from './docs-html.ts';
import { pageHead, tokenCommand } from './docs-page.ts';

/** The page at `/` if the portal's files are missing. It contains no secrets and is the same for everyone. */
export function landingPage(address: string): string {
  return `<!doctype html>${html`
<html lang="en">
<head>
${pageHead('Portolan', 'A self-hosted developer portal: catalog, ownership, self-service and an AI assistant')}
</head>
<body class="landing">
<header><span class="home">Portolan</span></header>
<main>
<h1>A developer portal that runs where your software runs</h1>
<p>Portolan keeps a catalog of your services and everything around them, knows which team owns what, and has an AI
assistant that answers questions about it through tools, with the rights of whoever asks.</p>
<p class="notice" role="note">This server was started without the files of the portal; <code>npm run build</code> makes them.
The API is here. The AI assistant is in open beta and not recommended for production-critical workflows at first.</p>
<ul class="ways">
<li><a href="/docs">API reference</a> Every operation, with a command that calls it.</li>
<li><a href="/openapi.json">OpenAPI document</a> The same for programs.</li>
</ul>
<h2>Ask the assistant</h2>
<p>Get a token with the client id and secret that were printed when the server started for the first time:</p>
<pre tabindex="0" aria-label="Commands that get a token"><code>${tokenCommand(address)}</code></pre>
<p>Then ask. The answer arrives as a stream of events:</p>
<pre tabindex="0" aria-label="Command that asks the assistant"><code>curl -N "$PORTOLAN_URL/v1/ai/invoke" \\
  -H "authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' \\
  -d '{"userPrompt":"Which services have no owner?"}'</code></pre>
<p>The request and the answer are described under <a href="/docs#invokeAssistant">Ask the assistant</a>.</p>
</main>
</body>
</html>
`}`;
}
