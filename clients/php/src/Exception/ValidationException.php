<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** 400: the request is wrong, or not possible as it stands. `details` says where. */
class ValidationException extends PostriderException
{
}
