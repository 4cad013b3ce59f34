// Before the first paint, so that a dark page never flashes white.
(() => {
  var chosen = null;
  try {
    chosen = localStorage.getItem('postrider.theme');
  } catch (_error) {
    // A browser without storage follows the system.
  }
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
})();
