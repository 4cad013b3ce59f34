/** A button that copies a block of code, where the browser allows it: it does over https and on this machine. */

const SHOWN_MS = 1500;

export function offerCopies(): void {
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      const said = await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '').then(
        () => 'Copied',
        () => 'Not allowed',
      );
      button.textContent = said;
      setTimeout(() => {
        button.textContent = 'Copy';
      }, SHOWN_MS);
    });
    block.append(button);
  }
}
