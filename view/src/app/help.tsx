import { profiles } from './store';
import { Dialog } from './dialog';
import { isHelpShown, KEYS } from './keys';

export function Help() {
  if (!isHelpShown.value) return null;
  const close = () => {
    isHelpShown.value = false;
  };
  return (
    <Dialog label="Keys" onClose={close}>
      <h1>Keys</h1>
      <table class="keys">
        <tbody>
          {KEYS.map(([keys, what]) => (
            <tr key={keys}>
              <td>
                <kbd>{keys}</kbd>
              </td>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        The address of this page holds the screen, the metric and the scope: it can be bookmarked. Pyrometer{' '}
        {profiles.value.value?.version ?? ''}.
      </p>
      <button type="button" onClick={close}>
        Close
      </button>
    </Dialog>
  );
}
