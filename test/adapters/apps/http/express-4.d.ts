/** Express 4 under a name of its own. What the tests use of it has the types of Express 5. */
declare module 'express-4' {
  import express = require('express')
  export = express
}
