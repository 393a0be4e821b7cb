// Calls the solution for each request on descriptor 3 and sends each result on descriptor 4.
package main

//line touchstone-driver.go:1
import (
	touchstoneBufio "bufio"
	touchstoneOS "os"
	touchstoneStrconv "strconv"
)

type touchstoneDriver struct {
	in    *touchstoneBufio.Reader
	out   *touchstoneOS.File
	reply []byte
}

// next is the next byte of the requests, or 0 at their end.
func (driver *touchstoneDriver) next() byte {
	one, problem := driver.in.ReadByte()
	if problem != nil {
		return 0
	}
	return one
}

func (driver *touchstoneDriver) begin() bool {
	driver.reply = driver.reply[:0]
	for one := driver.next(); one != '\n'; one = driver.next() {
		if one == 0 {
			return false
		}
		driver.reply = append(driver.reply, one)
	}
	driver.reply = append(driver.reply, ' ')
	return true
}

func (driver *touchstoneDriver) integer() int64 {
	one := driver.next()
	negative := one == '-'
	if negative {
		one = driver.next()
	}
	var value int64
	for ; '0' <= one && one <= '9'; one = driver.next() {
		value = value*10 - int64(one-'0')
	}
	if negative {
		return value
	}
	return -value
}

func (driver *touchstoneDriver) ints() []int {
	values := make([]int, int(driver.integer()))
	for i := range values {
		values[i] = int(driver.integer())
	}
	return values
}

func (driver *touchstoneDriver) longs() []int64 {
	values := make([]int64, int(driver.integer()))
	for i := range values {
		values[i] = driver.integer()
	}
	return values
}

@KEEP@

func (driver *touchstoneDriver) send() {
	driver.reply = append(driver.reply, '\n')
	if _, problem := driver.out.Write(driver.reply); problem != nil {
		touchstoneOS.Exit(1)
	}
}

func main() {
	driver := &touchstoneDriver{
		in:  touchstoneBufio.NewReaderSize(touchstoneOS.NewFile(3, "requests"), 1<<16),
		out: touchstoneOS.NewFile(4, "replies"),
	}
	_ = touchstoneStrconv.Itoa
	for driver.begin() {
@READ@
		driver.keep(@NAME@(@ARGUMENTS@))
		driver.send()
	}
}
