
;(function () {
  "use strict";
  const touchstoneProcess = globalThis.process;
  const fs = touchstoneProcess.getBuiltinModule ? touchstoneProcess.getBuiltinModule("fs") : touchstoneProcess.mainModule.require("fs");
@BODY@
})();
