/** What every report is: one page that opens from disk and loads nothing. */
import { type Html, html } from './html.ts'
import { style } from './style.ts'

interface PageOptions {
  readonly title: string
  /** What the page may do. Default: nothing but its style. */
  readonly policy?: string | undefined
  /** More of the head, and what follows the content. */
  readonly head?: Html | undefined
  readonly foot?: Html | undefined
}

export const pageOf = (
  { title, policy = "default-src 'none'; style-src 'unsafe-inline'", head, foot }: PageOptions,
  content: Html,
): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${{ markup: style }}</style>
${head}</head>
<body>
<main id="report">
${content}</main>
${foot}
</body>
</html>
`.markup
