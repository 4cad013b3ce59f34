<?php

declare(strict_types=1);

namespace Postrider;

use Postrider\Generated\Shapes;
use Postrider\Generated\SuppressionsResource;

/**
 * Addresses that must not be mailed, and waiting for an import.
 *
 * @phpstan-import-type SuppressionImport from Shapes
 */
final class Suppressions extends SuppressionsResource
{
    /**
     * Returns when the import is done or has failed.
     *
     * @param ?callable(SuppressionImport): void $onProgress hears how far it is
     * @param float $interval seconds
     * @return SuppressionImport
     */
    public function waitForImport(string $id, ?callable $onProgress = null, float $interval = 0.5): array
    {
        while (true) {
            $state = $this->getImport($id);
            if ($onProgress !== null) {
                $onProgress($state);
            }
            if ($state['status'] === 'done' || $state['status'] === 'failed') {
                return $state;
            }
            usleep((int) ($interval * 1_000_000));
        }
    }
}
