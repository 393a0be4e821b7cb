//! Every word of the pages, in each language side by side, so that one that lacks a translation does not compile. Holds
//! texts only.

use crate::store::Action;
use crate::verdict::Verdict;

/// Makes the table, and a column of it for each language.
macro_rules! words {
    ($($name:ident: $en:literal, $ru:literal, $zh:literal;)*) => {
        /// The words of one language.
        pub(crate) struct Words {
            pub(crate) ready_answers: [&'static str; 3],
            $(pub(crate) $name: &'static str,)*
        }

        pub(crate) const EN: Words = Words {
            ready_answers: ["Yes.", "No.", "No comment: read the statement."],
            $($name: $en,)*
        };
        pub(crate) const RU: Words = Words {
            ready_answers: ["Да.", "Нет.", "Без комментариев: читайте условие."],
            $($name: $ru,)*
        };
        pub(crate) const ZH: Words = Words {
            ready_answers: ["是。", "否。", "无可奉告，请仔细阅读题面。"],
            $($name: $zh,)*
        };
    };
}

words! {
    // around every page
    skip: "Skip to the content", "К содержанию", "跳到正文";
    sections: "Sections", "Разделы", "栏目";
    problems: "Problems", "Задачи", "题目";
    submissions: "Submissions", "Посылки", "提交";
    board: "Scoreboard", "Таблица", "排行榜";
    clarifications: "Clarifications", "Вопросы", "答疑";
    staff: "Staff", "Жюри", "管理";
    unread: "unread", "непрочитанных", "未读";
    log_in: "Log in", "Войти", "登录";
    log_out: "Log out", "Выйти", "退出";
    login: "Login", "Логин", "账号";
    password: "Password", "Пароль", "密码";
    language: "Language", "Язык", "语言";
    theme: "Theme", "Тема", "主题";
    theme_auto: "as the system", "как в системе", "跟随系统";
    theme_light: "light", "светлая", "浅色";
    theme_dark: "dark", "тёмная", "深色";
    apply: "Apply", "Применить", "应用";
    keys: "Keys: g p problems · g b board · g s submissions · 1–9 a problem · j k next, previous", "Клавиши: g p задачи · g b таблица · g s посылки · 1–9 задача · j k следующая, предыдущая", "快捷键：g p 题目 · g b 排行榜 · g s 提交 · 1–9 选题 · j k 下一题、上一题";
    to_start: "To the start page", "На главную", "返回首页";
    all: "all", "все", "全部";
    show: "Show", "Показать", "显示";
    save: "Save", "Сохранить", "保存";
    cancel: "Cancel", "Отменить", "取消";
    delete: "Delete", "Удалить", "删除";
    name: "Name", "Название", "名称";
    state: "State", "Состояние", "状态";
    message: "Message", "Сообщение", "信息";
    older: "Older", "Раньше", "更早";
    none_yet: "Nothing yet.", "Пока ничего нет.", "暂无内容。";
    time: "Time", "Время", "时间";
    team: "Team", "Команда", "队伍";
    copy: "Copy", "Копировать", "复制";
    copied: "Copied", "Скопировано", "已复制";
    download: "Download", "Скачать", "下载";
    phase_changed: "The contest has gone on: reload the page when you are ready.", "Состояние соревнования изменилось: обновите страницу, когда будете готовы.", "比赛状态已变化，请在方便时刷新页面。";

    // the clock
    not_begun: "The contest has not begun", "Соревнование ещё не началось", "比赛尚未开始";
    begins_in: "It begins in", "До начала", "距离开始";
    begins_when_staff: "It begins when the staff start it. This page will notice.", "Оно начнётся по команде жюри. Страница обновится сама.", "由管理员开始比赛，本页会自动刷新。";
    ends_in: "left", "осталось", "剩余";
    is_over: "over", "завершено", "已结束";
    virtual_ends_in: "your own contest:", "ваше соревнование:", "虚拟参赛剩余";
    duration: "Duration", "Продолжительность", "时长";

    // problems and submitting
    problem: "Problem", "Задача", "题目";
    your_status: "Yours", "У вас", "我的状态";
    solved_by: "Solved by", "Решили", "通过数";
    untried: "not tried", "не решали", "未尝试";
    wrong_tries: "wrong tries", "неудачных попыток", "错误次数";
    time_limit: "Time limit", "Ограничение времени", "时间限制";
    memory_limit: "memory limit", "памяти", "内存限制";
    statement_language: "Language of the statement", "Язык условия", "题面语言";
    samples: "Examples", "Примеры", "样例";
    input: "Input", "Ввод", "输入";
    output: "Output", "Вывод", "输出";
    submit: "Submit", "Отправить", "提交";
    language_of_program: "Language", "Язык", "语言";
    by_file_name: "by the file's name", "по имени файла", "按文件名判断";
    source: "Source", "Код", "源代码";
    or_file: "or a file (drop it here)", "или файл (можно перетащить)", "或选择文件（可拖放）";
    ctrl_enter: "Ctrl+Enter submits. Tab indents; after Esc it moves on.", "Ctrl+Enter отправляет. Tab делает отступ, после Esc переходит дальше.", "Ctrl+Enter 提交。Tab 缩进，按 Esc 后 Tab 移动焦点。";
    starter: "Starter code", "Заготовка", "代码模板";
    replace: "Replace what you have written?", "Заменить написанное?", "要替换已写的内容吗？";
    language_differs: "The file's name speaks of another language: it has been chosen.", "Имя файла говорит о другом языке: он выбран.", "文件名属于另一种语言，已自动切换。";
    counts_as_practice: "This counts as practice, not for the contest.", "Это тренировка: на итоги не влияет.", "此为练习，不计入比赛。";
    cannot_submit: "Submitting is closed.", "Приём решений закрыт.", "提交已关闭。";
    your_submissions: "Your submissions", "Ваши посылки", "我的提交";
    virtual_start: "Start the clock now", "Начать отсчёт", "开始虚拟参赛";
    virtual_offer: "Take the contest now, against the clock and the original board.", "Пройти соревнование сейчас: со своим временем и исходной таблицей.", "现在以虚拟方式参赛：独立计时，与原排行榜同场。";
    practice: "practice", "тренировка", "练习";
    virtual_kind: "virtual", "виртуально", "虚拟";

    // verdicts
    submission: "Submission", "Посылка", "提交";
    verdict: "Verdict", "Вердикт", "结果";
    accepted: "Accepted", "Принято", "通过";
    wrong_answer: "Wrong answer", "Неверный ответ", "答案错误";
    time_limit_exceeded: "Time limit exceeded", "Превышено время", "超出时间限制";
    memory_limit_exceeded: "Memory limit exceeded", "Превышена память", "超出内存限制";
    output_limit_exceeded: "Output limit exceeded", "Слишком большой вывод", "输出过多";
    run_time_error: "Run-time error", "Ошибка выполнения", "运行错误";
    compile_error: "Compile error", "Ошибка компиляции", "编译错误";
    judge_error: "Judge error: the judge's fault, not yours", "Ошибка системы: виновата она, а не вы", "评测系统错误，与您的程序无关";
    in_queue: "in the queue", "в очереди", "排队中";
    running: "being judged", "проверяется", "评测中";
    judged: "Judged", "Проверено", "评测完成";
    cpu_time: "CPU time", "Время ЦП", "CPU 时间";
    memory: "Memory", "Память", "内存";
    subtask: "Subtask", "Подзадача", "子任务";
    points: "Points", "Баллы", "得分";
    compiler_said: "The compiler said", "Сообщение компилятора", "编译信息";
    tests: "Tests", "Тесты", "测试点";
    test: "Test", "Тест", "测试点";
    skipped: "not run", "не запускался", "未运行";
    first_failing: "First failing test", "Первый непройденный тест", "首个未通过的测试点";
    smallest_failing: "Smallest failing input", "Наименьший контрпример", "最小反例";
    looking_for_smallest: "Looking for a smaller failing input…", "Ищем наименьший контрпример…", "正在寻找更小的反例……";
    expected: "Expected", "Ожидалось", "期望";
    found: "Found", "Получено", "实际";
    difference: "Difference", "Различие", "差异";
    stderr: "Standard error", "Стандартный поток ошибок", "标准错误输出";
    download_input: "download the input", "скачать ввод", "下载输入";
    download_answer: "the answer", "ответ", "下载答案";

    // the board
    rank: "Rank", "Место", "名次";
    solved: "solved", "решено", "已通过";
    penalty: "Penalty", "Штраф", "罚时";
    frozen: "frozen", "заморожена", "已封榜";
    own_row: "Yours, as it is now", "Ваш результат сейчас", "你的实时成绩";
    ghosts: "with the original results", "с исходными результатами", "含原始成绩";
    first_to_solve: "first to solve", "решили первыми", "首杀";
    rejected: "rejected", "неудачно", "未通过";
    pending: "pending", "ожидает", "待定";

    // clarifications
    ask: "Ask", "Задать вопрос", "提问";
    question: "Question", "Вопрос", "问题";
    answer: "Answer", "Ответ", "回复";
    general: "general", "общий", "综合";
    send: "Send", "Отправить", "发送";
    to_all: "to all", "всем", "公开";
    not_answered: "Not answered yet.", "Пока без ответа.", "尚未回复。";
    tell_everybody: "Tell everybody", "Объявление для всех", "发布公告";
    clarification: "Clarification", "Ответ жюри", "答疑";

    // for the staff
    dashboard: "Dashboard", "Обзор", "概览";
    contest: "Contest", "Соревнование", "比赛";
    accounts: "Accounts", "Учётные записи", "账号管理";
    rejudges: "Rejudging", "Перепроверки", "重测";
    audit: "Audit log", "Журнал", "操作日志";
    queue: "Queue", "Очередь", "队列";
    slots: "Judge slots", "Места проверки", "评测位";
    quarantine: "Quarantine", "Карантин", "隔离";
    quarantine_why: "These were given up after several lost runs: the judge is at fault, not the program. Judge them again when the cause is mended.", "От этих посылок проверка отказалась после нескольких сбоев: виновата не программа, а система. Перепроверьте, когда причина устранена.", "多次评测中断后被隔离：问题在评测系统而非程序。排除故障后请重新评测。";
    judge_again: "Judge again", "Проверить снова", "重新评测";
    in_the_slots: "Being judged now", "Проверяются сейчас", "正在评测";
    disk: "Free disk space", "Свободно на диске", "剩余磁盘";
    server_clock: "The server's clock", "Часы сервера", "服务器时间";
    teams: "Teams", "Команды", "队伍";
    unanswered: "Unanswered", "Без ответа", "待回复";
    streams: "Live pages", "Открытых страниц", "在线页面";
    rejudge_these: "Rejudge these", "Перепроверить эти", "重测以上提交";
    rejudge_how: "All submissions of this choice are judged again; nothing changes before you apply it.", "Все посылки этой выборки будут проверены снова; ничего не изменится, пока вы не примените.", "将重测所选的全部提交，应用之前不会有任何改变。";
    judged_of: "judged", "проверено", "已评测";
    changes: "changes", "изменений", "变化";
    before: "Before", "Было", "之前";
    after: "After", "Стало", "之后";
    apply_changes: "Apply", "Применить", "应用";
    start: "Start", "Начало", "开始时间";
    end: "End", "Конец", "结束时间";
    freeze: "Freeze", "Заморозка", "封榜";
    freeze_before_end: "Freeze before the end (empty: none)", "Заморозка до конца (пусто: нет)", "结束前封榜（留空则不封榜）";
    scoring: "Scoring", "Система", "赛制";
    open_state: "open", "открыта", "进行中";
    applied_state: "applied", "применена", "已应用";
    cancelled_state: "cancelled", "отменена", "已取消";
    waiting_longest: "longest wait", "дольше всего ждёт", "最长等待";
    start_now: "Start now", "Начать сейчас", "立即开始";
    end_now: "End now", "Завершить сейчас", "立即结束";
    freeze_now: "Freeze now", "Заморозить", "立即封榜";
    thaw: "Unfreeze", "Разморозить", "解除封榜";
    extend: "Extend", "Продлить", "延长";
    extend_by: "Minutes more", "Минут добавить", "延长分钟数";
    enable: "Enable", "Включить", "启用";
    disable: "Disable", "Отключить", "停用";
    disabled: "disabled", "отключено", "已停用";
    enabled: "active", "активно", "正常";
    exports: "Exports", "Выгрузка", "导出";
    backup: "backup", "резервная копия", "备份";
    import: "Import", "Импортировать", "导入";
    import_how: "One name on each line, or CSV with a header: login, name, password. What is missing is made.", "По одному имени в строке или CSV с заголовком: login, name, password. Недостающее будет создано.", "每行一个名称，或带表头的 CSV：login, name, password。缺少的部分会自动生成。";
    names_or_csv: "Names or CSV", "Имена или CSV", "名称或 CSV";
    nothing_imported: "Nothing was imported:", "Ничего не импортировано:", "未导入任何内容：";
    new_password: "New password", "Новый пароль", "重置密码";
    new_sheet: "New passwords for all teams, to print", "Новые пароли всем командам, для печати", "为所有队伍重置密码并打印";
    new_sheet_how: "The old ones end at once.", "Старые сразу перестанут действовать.", "旧密码立即失效。";
    credentials: "Credentials", "Данные для входа", "登录凭据";
    sheet_once: "This page is shown once: print it now. Only hashes of the passwords are kept.", "Эта страница показывается один раз: распечатайте её. Хранятся только хеши паролей.", "此页仅显示一次，请立即打印；系统只保存密码的哈希值。";
    who: "Who", "Кто", "谁";
    what: "What", "Что", "操作";
    read_again: "Read again", "Перечитать", "重新读取";
    read_again_how: "You mended a problem's files? Read it again: pages show it at once. What was judged before keeps its verdict until you rejudge it.", "Исправили файлы задачи? Перечитайте её: страницы сразу обновятся. Прежние вердикты останутся, пока вы не перепроверите посылки.", "修改了题目文件？重新读取后页面立即更新。已有结果在重测之前保持不变。";
    was_read: "The problem was read again. What was judged before keeps its verdict until you rejudge it, below.", "Задача перечитана. Прежние вердикты останутся, пока вы не перепроверите посылки (внизу).", "题目已重新读取。已有结果保持不变，可在下方重测。";
    not_read: "The problem has mistakes; the one that was served before is still served.", "В задаче ошибки; действует прежняя.", "题目有错误，仍使用原来的版本。";
    is_being_read: "It is being read already: wait a moment.", "Она уже перечитывается: подождите.", "正在读取，请稍候。";
    not_started: "when the staff start it", "по команде жюри", "由管理员开始";
    never: "never", "нет", "无";

    // what goes wrong
    wrong_login: "This login and password do not belong together.", "Неверный логин или пароль.", "账号或密码错误。";
    too_many_logins: "Too many tries: wait a minute.", "Слишком много попыток: подождите минуту.", "尝试次数过多，请稍候。";
    not_found: "There is nothing here", "Здесь ничего нет", "页面不存在";
    not_found_text: "Perhaps the address is wrong, or it is not for you.", "Возможно, адрес неверен или страница не для вас.", "地址可能有误，或您无权查看。";
    forbidden: "This is not allowed", "Это не разрешено", "不允许此操作";
    foreign_form: "The request came from another page than this server's. Go back, reload, and try again.", "Запрос пришёл не со страниц этого сервера. Вернитесь, обновите страницу и повторите.", "请求不是来自本站页面，请返回刷新后重试。";
    too_fast: "Too fast", "Слишком быстро", "操作过快";
    too_fast_text: "Wait a little and try again; nothing was lost.", "Подождите немного и повторите; ничего не потеряно.", "请稍候再试，内容未丢失。";
    trouble: "The server has trouble", "На сервере неполадки", "服务器故障";
    trouble_text: "It is written in the server's log. What you sent was not taken: send it again.", "Запись есть в журнале сервера. Отправленное не принято: повторите.", "详情已写入服务器日志。您的内容未被接收，请重新发送。";
    disk_full: "The server's disk is full", "На сервере кончилось место", "服务器磁盘已满";
    disk_full_text: "What you sent was not taken. Tell the staff; when there is room, go back and send it again. What was taken before is not lost.", "Отправленное не принято. Сообщите жюри; когда место появится, вернитесь и отправьте снова. Принятое раньше не потеряно.", "您的内容未被接收。请告知管理员；有空间后请返回并重新发送。此前已接收的内容不会丢失。";
    not_done: "This could not be done", "Это не удалось сделать", "操作未能完成";
    empty_text: "The text is empty.", "Текст пуст.", "内容为空。";
    empty_source: "There is no program: paste one or choose a file.", "Нет программы: вставьте код или выберите файл.", "没有代码：请粘贴或选择文件。";
    too_large: "The program is too large", "Программа слишком велика", "程序过大";
    unknown_language: "Which language is it? Choose one.", "Какой это язык? Выберите.", "请选择语言。";
    submitted: "Submitted.", "Отправлено.", "已提交。";
    asked: "Your question was sent.", "Вопрос отправлен.", "问题已发送。";
    done: "Done.", "Готово.", "完成。";

    // what the audit log tells
    did_log_in: "logged in", "вход", "登录";
    did_export: "exported", "выгрузка", "导出";
    did_apply_configuration: "took over contest.toml", "применён contest.toml", "应用 contest.toml";
    did_change_configuration: "changed the contest", "изменены настройки", "修改比赛设置";
    did_set_schedule: "set the schedule", "изменено расписание", "修改赛程";
    did_set_start: "set the start", "задано начало", "设置开始时间";
    did_extend: "moved the end", "перенесён конец", "调整结束时间";
    did_freeze: "froze the scoreboard", "таблица заморожена", "封榜";
    did_thaw: "unfroze the scoreboard", "таблица разморожена", "解除封榜";
    did_read_problem: "read the problem again", "задача перечитана", "重新读取题目";
    did_enable_problem: "enabled the problem", "задача включена", "启用题目";
    did_disable_problem: "disabled the problem", "задача отключена", "停用题目";
    did_create_accounts: "created accounts", "созданы учётные записи", "创建账号";
    did_enable_account: "enabled the account", "учётная запись включена", "启用账号";
    did_disable_account: "disabled the account", "учётная запись отключена", "停用账号";
    did_rename_account: "renamed the account", "учётная запись переименована", "重命名账号";
    did_set_password: "set a password", "задан пароль", "设置密码";
    did_delete_account: "deleted the account", "учётная запись удалена", "删除账号";
    did_answer: "answered the question", "ответ на вопрос", "回复提问";
    did_answer_to_all: "answered to all", "ответ для всех", "公开回复";
    did_announce: "announced", "объявление", "发布公告";
    did_start_rejudge: "started rejudging", "начата перепроверка", "开始重测";
    did_apply_rejudge: "applied the rejudging", "перепроверка применена", "应用重测";
    did_cancel_rejudge: "cancelled the rejudging", "перепроверка отменена", "取消重测";
    did_release: "released from quarantine", "возврат из карантина", "解除隔离";
}

impl Words {
    /// What somebody did, in words.
    pub(crate) fn of_action(&self, action: Action) -> &'static str {
        match action {
            Action::LogIn => self.did_log_in,
            Action::Export => self.did_export,
            Action::ApplyConfiguration => self.did_apply_configuration,
            Action::ChangeConfiguration => self.did_change_configuration,
            Action::SetSchedule => self.did_set_schedule,
            Action::SetStart => self.did_set_start,
            Action::Extend => self.did_extend,
            Action::Freeze => self.did_freeze,
            Action::Thaw => self.did_thaw,
            Action::ReadProblem => self.did_read_problem,
            Action::EnableProblem => self.did_enable_problem,
            Action::DisableProblem => self.did_disable_problem,
            Action::CreateAccounts => self.did_create_accounts,
            Action::EnableAccount => self.did_enable_account,
            Action::DisableAccount => self.did_disable_account,
            Action::RenameAccount => self.did_rename_account,
            Action::SetPassword => self.did_set_password,
            Action::DeleteAccount => self.did_delete_account,
            Action::Answer => self.did_answer,
            Action::AnswerToAll => self.did_answer_to_all,
            Action::Announce => self.did_announce,
            Action::StartRejudge => self.did_start_rejudge,
            Action::ApplyRejudge => self.did_apply_rejudge,
            Action::CancelRejudge => self.did_cancel_rejudge,
            Action::Release => self.did_release,
        }
    }

    /// A verdict in words.
    pub(crate) fn of_verdict(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Ac => self.accepted,
            Verdict::Wa => self.wrong_answer,
            Verdict::Tle => self.time_limit_exceeded,
            Verdict::Mle => self.memory_limit_exceeded,
            Verdict::Ole => self.output_limit_exceeded,
            Verdict::Rte => self.run_time_error,
            Verdict::Ce => self.compile_error,
            Verdict::Je => self.judge_error,
        }
    }
}
