<?php

declare(strict_types=1);

// As Composer would load them; the tests need nothing that is installed.
spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'Postrider\\')) {
        return;
    }
    $name = str_replace('\\', '/', substr($class, strlen('Postrider\\')));
    $file = str_starts_with($name, 'Tests/') ? __DIR__ . substr($name, 5) . '.php' : __DIR__ . "/../src/$name.php";
    if (is_file($file)) {
        require $file;
    }
});
