/** The style of the reference page: system fonts, light and dark, one column on a phone. */
export const DOCS_STYLE = `
:root { color-scheme: light dark; --ink: #1d2330; --soft: #5b6475; --line: #dde1e8; --paper: #fff; --shade: #f5f6f9;
  --accent: #1f5fbf; --get: #1f6f43; --post: #1f5fbf; --put: #8a5a00; --delete: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ef; --soft: #a3acbb; --line: #343b48; --paper: #14181f; --shade: #1d232d;
    --accent: #8ab4f8; --get: #7bd6a2; --post: #8ab4f8; --put: #f0c36d; --delete: #f2a29b; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif;
  display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; border-right: 1px solid var(--line);
  background: var(--shade); font-size: .875rem; }
nav h2 { margin: 1rem 0 .25rem; font-size: .75rem; text-transform: uppercase; letter-spacing: .06em; color: var(--soft); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: flex; gap: .5rem; align-items: baseline; padding: .2rem .25rem; border-radius: 4px; color: inherit;
  text-decoration: none; }
nav a:hover { background: var(--line); }
main { padding: 1.5rem 2rem 6rem; max-width: 60rem; }
h1 small { font-size: .9rem; font-weight: normal; color: var(--soft); }
.group > h2 { margin-top: 3rem; border-bottom: 2px solid var(--line); }
article { padding: 1rem 0 1.5rem; border-bottom: 1px solid var(--line); }
article:target h3 { color: var(--accent); }
h3 { margin: 0; font-size: 1.2rem; }
h4 { margin: 1.25rem 0 .4rem; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.anchor { color: var(--soft); text-decoration: none; font-weight: normal; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: .5rem; top: .5rem; z-index: 1; background: var(--paper); padding: .5rem; }
.line { margin: .35rem 0; overflow-wrap: anywhere; }
.method { flex: none; min-width: 3.4rem; font: 600 .75rem/1.4 ui-monospace, monospace; color: var(--soft); }
.method.get { color: var(--get); } .method.post { color: var(--post); } .method.delete { color: var(--delete); }
.method.put, .method.patch { color: var(--put); }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
code { background: var(--shade); padding: .1em .3em; border-radius: 4px; }
pre { background: var(--shade); border: 1px solid var(--line); border-radius: 6px; padding: .75rem; overflow-x: auto; }
pre code { padding: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; border-top: 0; }
td b { color: var(--delete); font-weight: 600; font-size: .8rem; }
.d1 { padding-left: 1rem; } .d2 { padding-left: 2rem; } .d3 { padding-left: 3rem; } .d4, .d5 { padding-left: 4rem; }
details { margin-top: .75rem; }
summary { cursor: pointer; font-weight: 600; }
dt { font-weight: 600; } dd { margin: 0 0 .25rem 1.5rem; }
@media (max-width: 50rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 45vh; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1rem; }
  thead { position: absolute; left: -100rem; }
  tr { display: block; border-top: 1px solid var(--line); padding: .4rem 0; }
  td { display: block; border: 0; padding-top: 0; padding-bottom: .1rem; overflow-wrap: anywhere; }
}`;
